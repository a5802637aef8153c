package values

import (
	"fmt"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper"
)

// values are CQL literals with the Go values of a sample's fields and of gocql.
func values() map[string][]value {
	text := "São Paulo, 'x' \U0001f527\x00"
	return map[string][]value{
		"Boolean":  {{"true", true, true}, {"false", false, false}, {"null", false, false}},
		"Tinyint":  {{"-128", int8(-128), int8(-128)}, {"127", int8(127), int8(127)}, {"null", int8(0), int8(0)}},
		"Smallint": {{"-32768", int16(-32768), int16(-32768)}, {"258", int16(258), int16(258)}},
		"Int":      {{"-2147483648", int32(math.MinInt32), math.MinInt32}, {"16909060", int32(16909060), 16909060}},
		"Bigint": {{"-9223372036854775808", int64(math.MinInt64), int64(math.MinInt64)},
			{"72623859790382856", int64(72623859790382856), int64(72623859790382856)}},
		"Count": {{"-7", -7, int64(-7)}},
		"Float": {{"-0.0", float32(math.Copysign(0, -1)), float32(math.Copysign(0, -1))}, {"-1.5", float32(-1.5), float32(-1.5)}, {"NaN", float32(math.NaN()), float32(math.NaN())},
			{"-Infinity", float32(math.Inf(-1)), float32(math.Inf(-1))}, {"1.4e-45", float32(math.SmallestNonzeroFloat32), float32(math.SmallestNonzeroFloat32)}},
		"Double": {{"-0.0", math.Copysign(0, -1), math.Copysign(0, -1)}, {"0.1", 0.1, 0.1}, {"NaN", math.NaN(), math.NaN()}, {"Infinity", math.Inf(1), math.Inf(1)},
			{"-1.7976931348623157e308", -math.MaxFloat64, -math.MaxFloat64}},
		"Text":      {{"''", "", ""}, {"'São Paulo, ''x'' \U0001f527\x00'", text, text}, {"null", "", ""}},
		"ASCII":     {{"''", "", ""}, {"'~ '''", "~ '", "~ '"}},
		"MaybeText": {{"null", (*string)(nil), (*string)(nil)}, {"''", new(""), new("")}, {"'x'", new("x"), new("x")}},
		"MaybeInt":  {{"null", (*int32)(nil), (*int32)(nil)}, {"0", new(int32(0)), new(int32(0))}},
		"MaybeTime": {{"null", (*time.Time)(nil), (*time.Time)(nil)}, {"-1", new(time.UnixMilli(-1).UTC()), new(time.UnixMilli(-1).UTC())}},
		"Blob":      {{"null", []byte(nil), []byte(nil)}, {"0x", []byte{}, []byte(nil)}, {"0x00ff", []byte{0, 255}, []byte{0, 255}}},
		"Timestamp": {{"null", time.Time{}, time.Time{}}, {"0", time.UnixMilli(0).UTC(), time.UnixMilli(0).UTC()},
			moment("'1969-12-31 23:59:59.999+0000'", time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.UTC)),
			moment("-62135596800001", time.UnixMilli(-62135596800001).UTC()), // a millisecond before the zero time
			moment("253402300800000", storetest.Date(10000, 1, 1))},
		"Date": {{"null", time.Time{}, time.Time{}}, moment("'1969-12-31'", storetest.Date(1969, 12, 31)), moment("2147483648", storetest.Date(1970, 1, 1)),
			moment("'-0044-03-15'", storetest.Date(-44, 3, 15)), moment("0", time.Unix(-(1<<31)*86400, 0).UTC()), moment("4294967295", time.Unix((1<<31-1)*86400, 0).UTC())},
		"Clock": {{"null", time.Time{}, time.Duration(0)}, {"'00:00:00'", storetest.Date(1970, 1, 1), time.Duration(0)},
			{"'23:59:59.999999999'", storetest.Date(1970, 1, 2).Add(-1), 24*time.Hour - 1}},
		"Time": {{"'08:09:10.000000011'", 8*time.Hour + 9*time.Minute + 10*time.Second + 11, 8*time.Hour + 9*time.Minute + 10*time.Second + 11}},
		"Duration": {span("-1y2mo3w4d5h6m7s8ms9us10ns", -14, -25, -(5*time.Hour + 6*time.Minute + 7*time.Second + 8*time.Millisecond + 9*time.Microsecond + 10)),
			span("1mo", 1, 0, 0), span("0s", 0, 0, 0), span("2147483647mo2147483647d9223372036854775807ns", math.MaxInt32, math.MaxInt32, math.MaxInt64)},
		"UUID":     {{"0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff", storetest.JobID(255), storetest.JobID(255)}, {"null", gocql.UUID{}, gocql.UUID{}}},
		"TimeUUID": {{storetest.TimeUUID.String(), storetest.TimeUUID, storetest.TimeUUID}},
		"Inet": {{"null", net.IP(nil), (*net.IP)(nil)}, {"'127.0.0.1'", net.IP{127, 0, 0, 1}, net.IP{127, 0, 0, 1}},
			{"'2001:db8::1'", net.ParseIP("2001:db8::1"), net.ParseIP("2001:db8::1")}, {"'::ffff:1.2.3.4'", net.IP{1, 2, 3, 4}, net.IP{1, 2, 3, 4}}},
		"Addr": {{"null", netip.Addr{}, (*net.IP)(nil)}, {"'255.0.0.1'", netip.MustParseAddr("255.0.0.1"), net.IP{255, 0, 0, 1}},
			{"'::1'", netip.MustParseAddr("::1"), net.IPv6loopback}, {"'::ffff:1.2.3.4'", netip.MustParseAddr("1.2.3.4"), net.IP{1, 2, 3, 4}}},
		"Varint": {{"null", (*big.Int)(nil), (*big.Int)(nil)}, whole("0"), whole("127"), whole("128"), whole("-128"), whole("-129"), whole("-1"), whole("255"),
			whole("9223372036854775808"), whole("-9223372036854775809"), whole("-340282366920938463463374607431768211456")},
		"Decimal": {{"null", (*inf.Dec)(nil), (*inf.Dec)(nil)}, {"0", inf.NewDec(0, 0), inf.NewDec(0, 0)}, {"-0.10", inf.NewDec(-10, 2), inf.NewDec(-10, 2)},
			{"1e3", inf.NewDec(1, -3), inf.NewDec(1, -3)}, fraction("-123456789012345678901234567890.12345")},
	}
}

// value is a literal, the equal value of a sample's field, and the value that gocql reads.
type value struct {
	literal     string
	want, plain any
}

func moment(literal string, at time.Time) value { return value{literal, at, at} }

func span(literal string, months, days int32, rest time.Duration) value {
	d := gocql.Duration{Months: months, Days: days, Nanoseconds: int64(rest)}
	return value{literal, d, d}
}

func whole(literal string) value {
	n, _ := new(big.Int).SetString(literal, 10)
	return value{literal, n, n}
}

func fraction(literal string) value {
	d, _ := new(inf.Dec).SetString(literal)
	return value{literal, d, d}
}

func TestValues(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"that CQL does not support", testInvalidValues}, {"of every type", testValues}, {"of no bytes", testEmptyValues},
	})
}

// The store reads values that are written in CQL, gocql reads values that the store writes, and the server formats both
// alike.
func testValues(t *testing.T, session gocqlx.Session) {
	store, ctx := storetest.OpenJobs(t, session, mapper.Config{}), t.Context()
	id, all := int32(0), values()
	for i := range reflect.TypeFor[workshop.Sample]().NumField() {
		f := reflect.TypeFor[workshop.Sample]().Field(i)
		if f.Anonymous || f.Name == "ID" {
			continue
		}
		require.NotEmpty(t, all[f.Name], "no values for %s", f.Name)
		column := workshop.SamplesMetadata.Columns[i-1]
		for _, v := range all[f.Name] {
			name := f.Name + " " + v.literal
			id += 2
			require.NoError(t, session.Session.Query(fmt.Sprintf("INSERT INTO samples (id, %s) VALUES (%d, %s)", column, id, v.literal)).Exec(), name)
			got, err := store.Samples.Get(ctx, id)
			require.NoError(t, err, name)
			requireValue(t, v.want, reflect.ValueOf(got).Elem().Field(i).Interface(), name)

			s := &workshop.Sample{ID: id + 1, TimeUUID: storetest.TimeUUID}
			reflect.ValueOf(s).Elem().Field(i).Set(reflect.ValueOf(v.want))
			require.NoError(t, store.Samples.Insert(ctx, s), name)
			plain := reflect.New(reflect.TypeOf(v.plain))
			require.NoError(t, session.Session.Query("SELECT "+column+" FROM samples WHERE id = ?", s.ID).Scan(plain.Interface()), name)
			requireValue(t, v.plain, plain.Elem().Interface(), name)
			if v.literal != "null" || reflect.ValueOf(v.want).Kind() == reflect.Pointer || absent(v.want) {
				require.Equal(t, rendered(t, session, column, id), rendered(t, session, column, s.ID), name)
			}
		}
	}
}

// absent reports whether a Go value that is not a pointer is null in CQL.
func absent(v any) bool {
	switch v := v.(type) {
	case time.Time:
		return v.IsZero()
	case []byte:
		return v == nil
	case net.IP:
		return v == nil
	case netip.Addr:
		return !v.IsValid()
	}
	return false
}

// rendered returns a value as the server formats it.
func rendered(t *testing.T, session gocqlx.Session, column string, id int32) (text string) {
	t.Helper()
	require.NoError(t, session.Session.Query("SELECT JSON "+column+" FROM samples WHERE id = ?", id).Scan(&text))
	return text
}

// requireValue compares values that reflection does not: numbers of other types, NaN, times.
func requireValue(t *testing.T, want, got any, name string) {
	t.Helper()
	switch w := want.(type) {
	case *big.Int:
		want, got = fmt.Sprint(w), fmt.Sprint(got)
	case *inf.Dec:
		want, got = decimalText(w), decimalText(got.(*inf.Dec))
	case float32:
		want, got = fmt.Sprint(w), fmt.Sprint(got)
	case float64:
		want, got = fmt.Sprint(w), fmt.Sprint(got)
	}
	require.Equal(t, want, got, name)
}

func decimalText(d *inf.Dec) string {
	if d == nil {
		return "nil"
	}
	return fmt.Sprintf("%v with a scale of %d", d.UnscaledBig(), d.Scale())
}

// Empty values, which Cassandra allows for most types, are read as the zero value.
func testEmptyValues(t *testing.T, session gocqlx.Session) {
	storetest.Execute(t, session, `INSERT INTO samples (id, boolean, int, bigint, uuid, varint) VALUES
		(1, blobAsBoolean(0x), blobAsInt(0x), blobAsBigint(0x), blobAsUuid(0x), blobAsVarint(0x))`)
	got, err := storetest.OpenJobs(t, session, mapper.Config{}).Samples.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Zero(t, got.Varint.Sign())
	got.Varint = nil
	require.Equal(t, &workshop.Sample{ID: 1}, got)
}

// Values that CQL does not support are rejected before they are sent.
func testInvalidValues(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	for _, c := range []struct {
		change func(*workshop.Sample)
		want   mapper.Violation
	}{
		{func(s *workshop.Sample) { s.ASCII = "São" }, mapper.Violation{Path: "ASCII", Problem: "is not ASCII"}},
		{func(s *workshop.Sample) { s.Time = 24 * time.Hour }, mapper.Violation{Path: "Time", Problem: "is not a time within a day"}},
		{func(s *workshop.Sample) { s.Time = -1 }, mapper.Violation{Path: "Time", Problem: "is not a time within a day"}},
		{func(s *workshop.Sample) { s.Duration = gocql.Duration{Months: 1, Days: -1} },
			mapper.Violation{Path: "Duration", Problem: "mixes positive and negative parts"}},
		{func(s *workshop.Sample) { s.Inet = net.IP{1, 2, 3} }, mapper.Violation{Path: "Inet", Problem: "is not an IP address"}},
		{func(s *workshop.Sample) { s.Addr = netip.MustParseAddr("fe80::1%eth0") }, mapper.Violation{Path: "Addr", Problem: "has a zone, which an inet cannot hold"}},
		{func(s *workshop.Sample) { s.MaybeText = new("\xc3") }, mapper.Violation{Path: "MaybeText", Problem: "is not valid UTF-8"}},
	} {
		s := &workshop.Sample{ID: 1, TimeUUID: storetest.TimeUUID}
		c.change(s)
		var constraint *mapper.ConstraintError
		require.ErrorAs(t, store.Samples.Insert(t.Context(), s), &constraint)
		require.Equal(t, []mapper.Violation{c.want}, constraint.Violations)
	}
	_, err := store.Samples.Get(t.Context(), 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

func TestMain(m *testing.M) { suite.Main(m) }
