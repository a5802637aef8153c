package codec

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
)

// newBench returns the driver and all variants.
func newBench(t *testing.T) (*driver, []named) {
	t.Helper()
	d, err := newDriver()
	require.NoError(t, err)
	all, err := variants()
	require.NoError(t, err)
	return d, all
}

// written runs a work and returns the values that it wrote to the frame.
func written(t *testing.T, d *driver, name string, v named) [][]byte {
	t.Helper()
	i := slices.IndexFunc(works, func(w work) bool { return w.name == name })
	require.NoError(t, works[i].run(v.variant, d), v.name)
	var values [][]byte
	for b := slices.Clone(d.frame.bytes); len(b) > 0; {
		n := int(int32(binary.BigEndian.Uint32(b)))
		if b = b[4:]; n < 0 {
			values = append(values, nil)
			continue
		}
		values, b = append(values, b[:n]), b[n:]
	}
	return values
}

// columnsOnly removes the timestamp and the TTL from each statement of twelve columns.
func columnsOnly(t *testing.T, values [][]byte) (columns [][]byte) {
	t.Helper()
	require.Zero(t, len(values)%14)
	for statement := range slices.Chunk(values, 14) {
		require.Equal(t, binary.BigEndian.AppendUint64(nil, timestamp), statement[12])
		require.Equal(t, make([]byte, 4), statement[13], "no TTL")
		columns = append(columns, statement[:12]...)
	}
	return columns
}

// All variants do the same work: they write the same bytes, except that only cassaml binds a timestamp and a TTL.
func TestVariantsWriteTheSameBytes(t *testing.T) {
	d, all := newBench(t)
	for work, tables := range map[string]int{"bind": 1, "bind4": 4} {
		want := written(t, d, work, all[3]) // hand-written gocql
		require.Equal(t, "gocql", all[3].name)
		require.Len(t, want, 12*tables)
		for _, v := range all {
			switch got := written(t, d, work, v); v.name {
			case "cassaml", Again, "cassaml-apache":
				require.Equal(t, want, columnsOnly(t, got), "%s by %s", work, v.name)
			case "floor":
				for table := range slices.Chunk(got, 12) {
					require.Equal(t, want[:12], table, "its columns have the order of the root")
				}
				require.Len(t, got, len(want))
			default:
				require.Equal(t, want, got, "%s by %s", work, v.name)
			}
		}
	}
}

func TestVariantsReadTheSameOrders(t *testing.T) {
	for work, n := range map[string]int{"scan": PageRows, "get": 1} {
		d, all := newBench(t)
		for _, v := range all {
			written(t, d, work, v)
			got := v.read()
			require.Len(t, got, n, "%s by %s", work, v.name)
			if v.name == "floor" {
				continue
			}
			for _, o := range got {
				require.Equal(t, *order.Sample(), o, "%s by %s", work, v.name)
			}
		}
	}
}

// Each read of a page begins at its first row.
func TestPageBeginsAtItsFirstRow(t *testing.T) {
	d, all := newBench(t)
	for range 3 {
		require.NoError(t, all[3].scan(d))
		require.Equal(t, *order.Sample(), all[3].read()[PageRows-1])
	}
}

// Every work is measured for every variant, plans for cassaml only. Each case runs.
func TestEveryCaseIsMeasured(t *testing.T) {
	cases, err := Cases()
	require.NoError(t, err)
	series, err := measure.Run(cases, measure.Config{Rounds: 1, Slices: 1, Slice: time.Nanosecond})
	require.NoError(t, err)
	var got []string
	for _, s := range series {
		require.Positive(t, s.Rounds[0].Ops, s.Variant)
		got = append(got, s.Work+" "+s.Variant)
	}
	want := []string{"wide cassaml", "wide " + Again, "plan-update cassaml", "plan-update " + Again, "plan-move cassaml", "plan-move " + Again}
	for _, work := range []string{"bind", "bind4", "scan", "get"} {
		for _, v := range []string{"cassaml", Again, "gocqlx", "gocql", "gocql-udt", "floor", "cassaml-apache", "apache"} {
			want = append(want, work+" "+v)
		}
	}
	require.ElementsMatch(t, want, got)
}
