package cell_test

import (
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// every has a field of every type, and is read and written as by a generated codec.
type every struct {
	ASCII     string
	Text      string
	Blob      []byte
	Boolean   bool
	Tinyint   int8
	Smallint  int16
	Int       int32
	Bigint    int64
	Float     float32
	Double    float64
	Timestamp time.Time
	Date      time.Time
	Clock     time.Time
	Time      time.Duration
	UUID      gocql.UUID
	Inet      net.IP
	Addr      netip.Addr
	Varint    *big.Int
	Decimal   *inf.Dec
	Duration  gocql.Duration
	Nullable  *int32
	Texts     []string
	Points    []point
	Set       map[string]struct{}
	Unique    []int32
	Corners   []point
	Map       map[int32]string
	Places    map[string]point
	Point     point
	Pointer   *point
	TimeUUID  gocql.UUID
}

// fields are the names of the fields, in the order of the cells of a row.
var fields = func() (out []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[every]()) {
		out = append(out, f.Name)
	}
	return out
}()

type point struct {
	X int32
	Y int64
	N string
}

func encodePoint(e *cell.Encoder, v *point) { e.Int(v.X); e.Bigint(v.Y); e.Text(v.N) }
func decodePoint(d *cell.Decoder, v *point) { v.X = d.Int(); v.Y = d.Bigint(); v.N = d.Text() }

func encodeEvery(e *cell.Encoder, v *every) {
	e.Ascii(v.ASCII)
	e.Text(v.Text)
	e.Blob(v.Blob)
	e.Boolean(v.Boolean)
	e.Tinyint(v.Tinyint)
	e.Smallint(v.Smallint)
	e.Int(v.Int)
	e.Bigint(v.Bigint)
	e.Float(v.Float)
	e.Double(v.Double)
	e.Timestamp(v.Timestamp)
	e.Date(v.Date)
	e.ClockTime(v.Clock)
	e.Time(v.Time)
	e.UUID(v.UUID)
	e.Inet(v.Inet)
	e.Addr(v.Addr)
	e.Varint(v.Varint)
	e.Decimal(v.Decimal)
	e.Duration(v.Duration.Months, v.Duration.Days, v.Duration.Nanoseconds)
	cell.EncodeNullable(e, v.Nullable, (*cell.Encoder).Int)
	cell.EncodeList(e, v.Texts, (*cell.Encoder).Text)
	cell.EncodeStructs(e, v.Points, encodePoint)
	cell.EncodeSet(e, v.Set, (*cell.Encoder).Text)
	cell.EncodeUnique(e, v.Unique, (*cell.Encoder).Int)
	cell.EncodeUniqueStructs(e, v.Corners, encodePoint)
	cell.EncodeMap(e, v.Map, (*cell.Encoder).Int, (*cell.Encoder).Text)
	cell.EncodeMapOfStructs(e, v.Places, (*cell.Encoder).Text, encodePoint)
	cell.EncodeStruct(e, &v.Point, encodePoint)
	cell.EncodeStruct(e, v.Pointer, encodePoint)
	e.TimeUUID(v.TimeUUID)
}

func decodeEvery(d *cell.Decoder, v *every) {
	v.ASCII = d.Ascii()
	v.Text = d.Text()
	v.Blob = d.Blob()
	v.Boolean = d.Boolean()
	v.Tinyint = d.Tinyint()
	v.Smallint = d.Smallint()
	v.Int = d.Int()
	v.Bigint = d.Bigint()
	v.Float = d.Float()
	v.Double = d.Double()
	v.Timestamp = d.Timestamp()
	v.Date = d.Date()
	v.Clock = d.ClockTime()
	v.Time = d.Time()
	v.UUID = d.UUID()
	v.Inet = d.Inet()
	v.Addr = d.Addr()
	v.Varint = d.Varint()
	v.Decimal = d.Decimal()
	v.Duration.Months, v.Duration.Days, v.Duration.Nanoseconds = d.Duration()
	v.Nullable = cell.DecodeNullable(d, (*cell.Decoder).Int)
	v.Texts = cell.DecodeList(d, (*cell.Decoder).Text)
	v.Points = cell.DecodeStructs(d, decodePoint)
	v.Set = cell.DecodeSet(d, (*cell.Decoder).Text)
	v.Unique = cell.DecodeList(d, (*cell.Decoder).Int)
	v.Corners = cell.DecodeStructs(d, decodePoint)
	v.Map = cell.DecodeMap(d, (*cell.Decoder).Int, (*cell.Decoder).Text)
	v.Places = cell.DecodeMapOfStructs(d, (*cell.Decoder).Text, decodePoint)
	cell.DecodeStruct(d, &v.Point, decodePoint)
	v.Pointer = cell.DecodePointer(d, decodePoint)
	v.TimeUUID = d.UUID()
}

// millis draws a time that a timestamp can represent; the zero time is null.
func millis() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		ms := rapid.Int64Range(-1<<50, 1<<50).Draw(t, "ms")
		return time.UnixMilli(ms).UTC()
	})
}

func days() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(-1<<31, 1<<31-1).Draw(t, "day")*86400, 0).UTC()
	}).Filter(func(t time.Time) bool { return !t.IsZero() })
}

func clocks() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(0, rapid.Int64Range(0, int64(24*time.Hour)-1).Draw(t, "clock")).UTC()
	})
}

func bigs() *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		v := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "magnitude"))
		if rapid.Bool().Draw(t, "negative") {
			v.Neg(v)
		}
		return v
	})
}

func ips() *rapid.Generator[net.IP] {
	return rapid.Custom(func(t *rapid.T) net.IP {
		n := rapid.SampledFrom([]int{4, 16}).Draw(t, "length")
		ip := net.IP(rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "ip"))
		if v4 := ip.To4(); v4 != nil {
			return v4
		}
		return ip
	})
}

func durations() *rapid.Generator[gocql.Duration] {
	return rapid.Custom(func(t *rapid.T) gocql.Duration {
		sign := rapid.SampledFrom([]int32{1, -1}).Draw(t, "sign")
		return gocql.Duration{
			Months:      sign * rapid.Int32Range(0, 1<<31-1).Draw(t, "months"),
			Days:        sign * rapid.Int32Range(0, 1<<31-1).Draw(t, "days"),
			Nanoseconds: int64(sign) * rapid.Int64Range(0, 1<<63-1).Draw(t, "nanoseconds"),
		}
	})
}

func points() *rapid.Generator[point] {
	return rapid.Custom(func(t *rapid.T) point {
		return point{rapid.Int32().Draw(t, "x"), rapid.Int64().Draw(t, "y"), rapid.String().Draw(t, "n")}
	})
}

// maybe draws nil as well, and no value that is encoded as null.
func maybe[T any](t *rapid.T, g *rapid.Generator[T]) *T { return rapid.Ptr(g, true).Draw(t, "maybe") }

func or[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func everything() *rapid.Generator[*every] {
	return rapid.Custom(func(t *rapid.T) *every {
		v := &every{
			ASCII: rapid.StringMatching(`[ -~]{0,9}`).Draw(t, "ascii"), Text: rapid.String().Draw(t, "text"),
			Blob: or(maybe(t, rapid.SliceOf(rapid.Byte()))), Boolean: rapid.Bool().Draw(t, "boolean"),
			Tinyint: rapid.Int8().Draw(t, "tinyint"), Smallint: rapid.Int16().Draw(t, "smallint"),
			Int: rapid.Int32().Draw(t, "int"), Bigint: rapid.Int64().Draw(t, "bigint"),
			Float: rapid.Float32().Draw(t, "float"), Double: rapid.Float64().Draw(t, "double"),
			Timestamp: or(maybe(t, millis())), Date: or(maybe(t, days())), Clock: or(maybe(t, clocks())),
			Time:   time.Duration(rapid.Int64Range(0, int64(24*time.Hour)-1).Draw(t, "time")),
			Inet:   or(maybe(t, ips())),
			Varint: or(maybe(t, bigs())), Duration: durations().Draw(t, "duration"),
			Nullable: maybe(t, rapid.Int32()),
			Texts:    or(maybe(t, rapid.SliceOf(rapid.String()))), Points: or(maybe(t, rapid.SliceOfN(points(), 0, 5))),
			Unique:  or(maybe(t, rapid.SliceOfDistinct(rapid.Int32(), rapid.ID))),
			Corners: or(maybe(t, rapid.SliceOfNDistinct(points(), 0, 5, func(p point) point { return p }))),
			Map:     or(maybe(t, rapid.MapOf(rapid.Int32(), rapid.String()))),
			Places:  or(maybe(t, rapid.MapOfN(rapid.String(), points(), 0, 5))),
			Point:   points().Draw(t, "point"), Pointer: maybe(t, points()),
		}
		copy(v.UUID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid"))
		if rapid.Bool().Draw(t, "timeuuid") {
			v.TimeUUID = v.UUID
			v.TimeUUID[6] = v.TimeUUID[6]&0x0f | 0x10
		}
		if rapid.Bool().Draw(t, "addr") {
			v.Addr = netip.MustParseAddr(rapid.SampledFrom([]string{"10.0.0.1", "::1", "fe80::1"}).Draw(t, "ip"))
		}
		if unscaled := maybe(t, bigs()); unscaled != nil {
			v.Decimal = inf.NewDecBig(*unscaled, inf.Scale(rapid.Int32().Draw(t, "scale")))
		}
		for _, s := range rapid.SliceOf(rapid.String()).Draw(t, "set") {
			if v.Set == nil {
				v.Set = map[string]struct{}{}
			}
			v.Set[s] = struct{}{}
		}
		return v
	})
}
