// Package every has every scalar type in every position: as a key, as a column, behind a pointer, in collections and in a
// user-defined type.
package every

import (
	"math/big"
	"net"
	"net/netip"
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
)

// Columns has each type as a column.
type Columns struct {
	aml.Aggregate

	ID        int32 `aml:",identifier"`
	Bool      bool
	Int8      int8
	Int16     int16
	Int32     int32
	Int64     int64
	Int       int
	Float32   float32
	Float64   float64
	Text      string
	ASCII     string `aml:",type=ascii"`
	Blob      []byte
	Timestamp time.Time
	Date      time.Time     `aml:",type=date"`
	ClockTime time.Time     `aml:",type=time"`
	Time      time.Duration `aml:",type=time"`
	Duration  gocql.Duration
	UUID      gocql.UUID
	TimeUUID  gocql.UUID `aml:",type=timeuuid"`
	IP        net.IP
	Addr      netip.Addr
	Varint    *big.Int
	Decimal   *inf.Dec
	Object    Scalars  `aml:",composition"`
	Null      *Scalars `aml:",composition"`
	Final     Scalars  `aml:",composition,final"`
}

// Scalars has each type as a field of a type.
type Scalars struct {
	Bool      bool
	Int8      int8
	Int16     int16
	Int32     int32
	Int64     int64
	Int       int
	Float32   float32
	Float64   float64
	Text      string
	ASCII     string `aml:",type=ascii"`
	Blob      []byte
	Timestamp time.Time
	Date      time.Time     `aml:",type=date"`
	ClockTime time.Time     `aml:",type=time"`
	Time      time.Duration `aml:",type=time"`
	Duration  gocql.Duration
	UUID      gocql.UUID
	TimeUUID  gocql.UUID `aml:",type=timeuuid"`
	IP        net.IP
	Addr      netip.Addr
	Varint    *big.Int
	Decimal   *inf.Dec
}

// Pointers has each type behind a pointer.
type Pointers struct {
	aml.Aggregate

	ID        int32 `aml:",identifier"`
	Bool      *bool
	Int8      *int8
	Int16     *int16
	Int32     *int32
	Int64     *int64
	Int       *int
	Float32   *float32
	Float64   *float64
	Text      *string
	ASCII     *string `aml:",type=ascii"`
	Blob      *[]byte
	Timestamp *time.Time
	Date      *time.Time     `aml:",type=date"`
	ClockTime *time.Time     `aml:",type=time"`
	Time      *time.Duration `aml:",type=time"`
	Duration  *gocql.Duration
	UUID      *gocql.UUID
	TimeUUID  *gocql.UUID `aml:",type=timeuuid"`
	IP        *net.IP
	Addr      *netip.Addr
	Object    Nullable `aml:",composition"`
}

// Nullable has each type behind a pointer in a type.
type Nullable struct {
	Bool      *bool
	Int8      *int8
	Int16     *int16
	Int32     *int32
	Int64     *int64
	Int       *int
	Float32   *float32
	Float64   *float64
	Text      *string
	ASCII     *string `aml:",type=ascii"`
	Blob      *[]byte
	Timestamp *time.Time
	Date      *time.Time     `aml:",type=date"`
	ClockTime *time.Time     `aml:",type=time"`
	Time      *time.Duration `aml:",type=time"`
	Duration  *gocql.Duration
	UUID      *gocql.UUID
	TimeUUID  *gocql.UUID `aml:",type=timeuuid"`
	IP        *net.IP
	Addr      *netip.Addr
}

// Keys has each type as part of the key.
type Keys struct {
	aml.Aggregate

	Bool      bool          `aml:",identifier"`
	Int8      int8          `aml:",identifier"`
	Int16     int16         `aml:",identifier"`
	Int32     int32         `aml:",identifier"`
	Int64     int64         `aml:",identifier"`
	Int       int           `aml:",identifier"`
	Float32   float32       `aml:",identifier"`
	Float64   float64       `aml:",identifier"`
	Text      string        `aml:",identifier"`
	ASCII     string        `aml:",identifier,type=ascii"`
	Blob      []byte        `aml:",identifier"`
	Timestamp time.Time     `aml:",discriminator"`
	Date      time.Time     `aml:",discriminator,type=date,desc"`
	ClockTime time.Time     `aml:",discriminator,type=time"`
	Time      time.Duration `aml:",discriminator,desc,type=time"`
	UUID      gocql.UUID    `aml:",discriminator,desc"`
	TimeUUID  gocql.UUID    `aml:",discriminator,type=timeuuid"`
	IP        net.IP        `aml:",discriminator,desc"`
	Addr      netip.Addr    `aml:",discriminator"`
	Varint    *big.Int      `aml:",discriminator,desc"`
	Decimal   *inf.Dec      `aml:",discriminator"`
	List      []int32       `aml:",discriminator,final"`
	Object    Point         `aml:",discriminator,final,composition"`
}

// Point is a key of two fields.
type Point struct {
	X, Y int32
}

// Lists has each type in a list, and in a list of lists.
type Lists struct {
	aml.Aggregate

	ID            int32 `aml:",identifier"`
	Bool          []bool
	Int8          []int8
	Int16         []int16
	Int32         []int32
	Int64         []int64
	Int           []int
	Float32       []float32
	Float64       []float64
	Text          []string
	ASCII         []string `aml:",type=ascii"`
	Blob          [][]byte
	Timestamp     []time.Time
	Date          []time.Time     `aml:",type=date"`
	ClockTime     []time.Time     `aml:",type=time"`
	Time          []time.Duration `aml:",type=time"`
	Duration      []gocql.Duration
	UUID          []gocql.UUID
	TimeUUID      []gocql.UUID `aml:",type=timeuuid"`
	IP            []net.IP
	Addr          []netip.Addr
	Varint        []*big.Int
	Decimal       []*inf.Dec
	ManyBool      [][]bool
	ManyInt8      [][]int8
	ManyInt16     [][]int16
	ManyInt32     [][]int32
	ManyInt64     [][]int64
	ManyInt       [][]int
	ManyFloat32   [][]float32
	ManyFloat64   [][]float64
	ManyText      [][]string
	ManyASCII     [][]string `aml:",type=ascii"`
	ManyBlob      [][][]byte
	ManyTimestamp [][]time.Time
	ManyDate      [][]time.Time     `aml:",type=date"`
	ManyClockTime [][]time.Time     `aml:",type=time"`
	ManyTime      [][]time.Duration `aml:",type=time"`
	ManyDuration  [][]gocql.Duration
	ManyUUID      [][]gocql.UUID
	ManyTimeUUID  [][]gocql.UUID `aml:",type=timeuuid"`
	ManyIP        [][]net.IP
	ManyAddr      [][]netip.Addr
	ManyVarint    [][]*big.Int
	ManyDecimal   [][]*inf.Dec
	Objects       []Scalars   `aml:",composition"`
	ManyObjects   [][]Scalars `aml:",composition"`
}

// Sets has each type in a set.
type Sets struct {
	aml.Aggregate

	ID              int32 `aml:",identifier"`
	Bool            map[bool]struct{}
	Int8            map[int8]struct{}
	Int16           map[int16]struct{}
	Int32           map[int32]struct{}
	Int64           map[int64]struct{}
	Int             map[int]struct{}
	Float32         map[float32]struct{}
	Float64         map[float64]struct{}
	Text            map[string]struct{}
	ASCII           map[string]struct{} `aml:",type=ascii"`
	Timestamp       map[time.Time]struct{}
	Date            map[time.Time]struct{}     `aml:",type=date"`
	ClockTime       map[time.Time]struct{}     `aml:",type=time"`
	Time            map[time.Duration]struct{} `aml:",type=time"`
	UUID            map[gocql.UUID]struct{}
	TimeUUID        map[gocql.UUID]struct{} `aml:",type=timeuuid"`
	Addr            map[netip.Addr]struct{}
	UniqueBool      []bool             `aml:",unique"`
	UniqueInt8      []int8             `aml:",unique"`
	UniqueInt16     []int16            `aml:",unique"`
	UniqueInt32     []int32            `aml:",unique"`
	UniqueInt64     []int64            `aml:",unique"`
	UniqueInt       []int              `aml:",unique"`
	UniqueFloat32   []float32          `aml:",unique"`
	UniqueFloat64   []float64          `aml:",unique"`
	UniqueText      []string           `aml:",unique"`
	UniqueASCII     []string           `aml:",unique,type=ascii"`
	UniqueBlob      [][]byte           `aml:",unique"`
	UniqueTimestamp []time.Time        `aml:",unique"`
	UniqueDate      []time.Time        `aml:",unique,type=date"`
	UniqueClockTime []time.Time        `aml:",unique,type=time"`
	UniqueTime      []time.Duration    `aml:",unique,type=time"`
	UniqueUUID      []gocql.UUID       `aml:",unique"`
	UniqueTimeUUID  []gocql.UUID       `aml:",unique,type=timeuuid"`
	UniqueIP        []net.IP           `aml:",unique"`
	UniqueAddr      []netip.Addr       `aml:",unique"`
	UniqueVarint    []*big.Int         `aml:",unique"`
	UniqueDecimal   []*inf.Dec         `aml:",unique"`
	Points          map[Point]struct{} `aml:",composition"`
	UniquePoints    []Point            `aml:",composition,unique"`
	UniqueLists     [][]int32          `aml:",unique"`
}

// Maps has each type as the key and as the value of a map.
type Maps struct {
	aml.Aggregate

	ID          int32 `aml:",identifier"`
	Bool        map[bool]string
	Int8        map[int8]string
	Int16       map[int16]string
	Int32       map[int32]string
	Int64       map[int64]string
	Int         map[int]string
	Float32     map[float32]string
	Float64     map[float64]string
	Text        map[string]string
	Timestamp   map[time.Time]string
	Time        map[time.Duration]string `aml:",type=map<time, text>"`
	UUID        map[gocql.UUID]string
	Addr        map[netip.Addr]string
	OfBool      map[string]bool
	OfInt8      map[string]int8
	OfInt16     map[string]int16
	OfInt32     map[string]int32
	OfInt64     map[string]int64
	OfInt       map[string]int
	OfFloat32   map[string]float32
	OfFloat64   map[string]float64
	OfText      map[string]string
	OfASCII     map[string]string `aml:",type=ascii"`
	OfBlob      map[string][]byte
	OfTimestamp map[string]time.Time
	OfDate      map[string]time.Time     `aml:",type=date"`
	OfClockTime map[string]time.Time     `aml:",type=time"`
	OfTime      map[string]time.Duration `aml:",type=time"`
	OfDuration  map[string]gocql.Duration
	OfUUID      map[string]gocql.UUID
	OfTimeUUID  map[string]gocql.UUID `aml:",type=timeuuid"`
	OfIP        map[string]net.IP
	OfAddr      map[string]netip.Addr
	OfVarint    map[string]*big.Int
	OfDecimal   map[string]*inf.Dec
	Objects     map[int32]Scalars  `aml:",composition"`
	Points      map[string][]Point `aml:",composition"`
	Deep        map[string]map[int32]map[string]struct{}
}

// Required has each type as a mandatory field.
type Required struct {
	aml.Aggregate

	ID        int32 `aml:",identifier"`
	Bool      bool
	Int       int
	Text      string              `aml:",required"`
	Blob      []byte              `aml:",required"`
	Timestamp time.Time           `aml:",required"`
	Date      time.Time           `aml:",required,type=date"`
	Time      time.Duration       `aml:",type=time"`
	UUID      gocql.UUID          `aml:",required"`
	IP        net.IP              `aml:",required"`
	Addr      netip.Addr          `aml:",required"`
	Varint    *big.Int            `aml:",required"`
	Decimal   *inf.Dec            `aml:",required"`
	Pointer   *int32              `aml:",required"`
	List      []string            `aml:",required"`
	Set       map[string]struct{} `aml:",required"`
	Map       map[string]string   `aml:",required"`
	Object    Need                `aml:",composition"`
	Null      *Need               `aml:",required,composition"`
	Maybe     *Need               `aml:",composition"`
	Objects   []Need              `aml:",composition"`
	Unique    []Need              `aml:",composition,unique"`
	Keys      map[Need]struct{}   `aml:",composition"`
	Values    map[int32]Need      `aml:",composition"`
	Deep      map[string][][]Need `aml:",composition"`
	Free      Point               `aml:",composition"`
}

// Need has a mandatory text.
type Need struct {
	Text  string `aml:",required"`
	Where Point  `aml:",composition"`
}
