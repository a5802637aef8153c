package advise_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
)

const quickstart = "../../examples/quickstart/shop"

// Rates of one operation are added, and the shortest of its limits applies. A write of a root is an operation of each of its relationships.
func TestRatesAndLimitsOfOneOperation(t *testing.T) {
	t.Parallel()
	r := report(t, quickstart, `
-- aml:latency 5ms
-- aml:rate 2/s
SELECT * FROM customers WHERE id = ?;
-- aml:latency 3ms
-- aml:rate 3/s
SELECT * FROM customers WHERE id = ?;
-- aml:latency 4ms
SELECT * FROM customers WHERE id = ?;
-- aml:latency 9ms
-- aml:write Customer.Vehicles add 1/s
-- aml:write Customer.Vehicles add 4/s
-- aml:write Customer.Insert 6/s
-- aml:write Customer.Delete 7/s
-- aml:latency 2ms
// of the name
-- and of the address
-- aml:write Customer.Update 8/s
-- aml:latency 1ms
SELECT * FROM customers WHERE id = ?;
-- aml:write Customer.Vehicles move 9/s
`).Relationships[0]
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByRoot: 5, alternatives.Add: 5, alternatives.Insert: 6, alternatives.Delete: 7, alternatives.Rename: 8, alternatives.Move: 9}, r.Rates)
	require.Equal(t, map[alternatives.Operation]time.Duration{alternatives.ReadByRoot: time.Millisecond, alternatives.Add: 9 * time.Millisecond, alternatives.Rename: 2 * time.Millisecond}, r.Limits)
}

// Each request has the weight of its kind, and each statement of a batch that of a statement.
func TestCost(t *testing.T) {
	t.Parallel()
	w := advise.Weights{Read: 1, Write: 10, Batch: 100, Statement: 1000, Conditional: 10_000}
	require.InDelta(t, 2*1+4*10+3*100+7*1000+1*10_000, w.Cost(&alternatives.Cost{Requests: 10, Conditional: 1, Reads: 2, Batches: 3, Batched: 7, Statements: 99}), 0)
}

// A comment can have a space before its name, and a file can begin with a byte order mark and have other line endings.
func TestFormsOfComments(t *testing.T) {
	t.Parallel()
	r := report(t, quickstart, "\ufeff-- aml: rate 2/s\r\nSELECT * FROM customers WHERE id = ?;\r\n//aml:  write Customer.Vehicles add 3/s\r\n").Relationships[0]
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByRoot: 2, alternatives.Add: 3}, r.Rates)
}

// A write names a root: redundant tables follow it, and no program writes them.
func TestWriteOfARedundantAggregate(t *testing.T) {
	t.Parallel()
	files, err := load.Read(t.Context(), quickstart)
	require.NoError(t, err)
	require.Equal(t, []string{"workload.cql:1:8: the model has no relationship and no root with the method VehicleByPlate.Update: its relationships are Customer.Vehicles"}, faults(t, files, "-- aml:write VehicleByPlate.Update 5/s\n"))
}

// The reason of a design is its most expensive operation with its share of the cost, and a break-even is only printed where one exists.
func TestReason(t *testing.T) {
	t.Parallel()
	const read, add = "-- aml:rate 30/s\nSELECT * FROM customers WHERE id = ?;\n", "-- aml:write Customer.Vehicles add 10/s\n"
	reason := func(text string, write float64) (string, string) {
		r := reportWith(t, quickstart, text, advise.Config{Weights: advise.Weights{Read: 1, Write: write, Batch: 1, Statement: 1, Conditional: 1000}}).Relationships[0]
		for _, p := range r.Proposals {
			if p.Name == "embedded-list" {
				return p.Reason, r.BreakEven(advise.DefaultWeights(), r.Proposals[0], r.Proposals[len(r.Proposals)-1])
			}
		}
		return "", ""
	}
	for _, x := range []struct {
		text  string
		write float64
		want  string
	}{
		{read + add, 1, "60 % of it is read by root, which needs 1 read"},
		{read + add, 9, "77 % of it is add, which needs 1 read, 1 write"},
		{add, 9, "100 % of it is add, which needs 1 read, 1 write"},
	} {
		got, _ := reason(x.text, x.write)
		require.Equal(t, x.want, got)
	}
	r := report(t, quickstart, read+add).Relationships[0]
	require.Empty(t, r.BreakEven(advise.DefaultWeights(), r.Proposals[0], losing(t, r, "pairs")), "reads and writes are more expensive")
	for _, text := range []string{read, add} {
		_, even := reason(text, 1)
		require.Empty(t, even, text)
	}
}

// Priorities order the queries without an answer and the relationships. A relationship has the first priority of its queries.
func TestPriorities(t *testing.T) {
	t.Parallel()
	const user, order, seller = "-- aml:rate 1/s\n-- aml:priority %\nSELECT * FROM users WHERE user_id = ?;\n", "-- aml:rate 1/s\n-- aml:priority %\nSELECT * FROM orders_by_user WHERE user_id = ?;\n", "-- aml:priority %\nSELECT * FROM users WHERE name = ?;\n"
	for _, x := range []struct{ first, second, third, want string }{{"1", "2", "3", "User.Addresses Order.Items"}, {"2", "1", "3", "Order.Items User.Addresses"}, {"3", "2", "1", "User.Addresses Order.Items"}} {
		var got, lines []string
		set := func(text, priority string) string { return strings.Replace(text, "%", priority, 1) }
		r := report(t, marketplace+"shop", set(user, x.first)+set(order, x.second)+set(user, x.third)+set(seller, "2")+set(seller, "1"))
		for _, y := range r.Relationships {
			got = append(got, y.Name)
		}
		require.Equal(t, x.want, strings.Join(got, " "))
		for _, q := range r.Unanswered {
			lines = append(lines, q.Pos.String())
		}
		require.Equal(t, []string{"workload.cql:13:1", "workload.cql:11:1"}, lines)
		require.NotNil(t, r.Unused[0].Aggregate.Redundancy, "redundant tables are first")
	}
}

// A P99 of 0 is not a time: the store refused the operation. With fewer measured elements than the relationship has, the greatest number counts.
func TestMeasurementsOfFewerElements(t *testing.T) {
	t.Parallel()
	measured := []advise.Measurement{
		{Design: "embedded-list", Operation: "add", Elements: 20, P99: 0},
		{Design: "embedded-list", Operation: "add", Elements: 1, P99: 1000},
		{Design: "embedded-list", Operation: "add", Elements: 10, P99: 2000},
		{Design: "embedded-list", Operation: "add", Elements: 2, P99: 3000},
	}
	r := reportWith(t, quickstart, "-- aml:latency 1ms\n-- aml:write Customer.Vehicles add 5/s\n", advise.Config{Weights: advise.DefaultWeights(), Measurements: measured})
	require.Equal(t, []advise.Latency{{Operation: "add", Limit: time.Millisecond, P99: 2 * time.Millisecond, Elements: 10}}, losingOrNot(t, r.Relationships[0], "embedded-list").Latencies)
	require.False(t, r.Published)
	require.False(t, report(t, quickstart, "-- aml:write Customer.Vehicles add 5/s\n").Published, "no latency has a limit")
	require.True(t, report(t, quickstart, "-- aml:latency 1ms\n-- aml:write Customer.Vehicles add 5/s\n").Published)
}

// losingOrNot returns the design with a name.
func losingOrNot(t *testing.T, r *advise.Relationship, name string) *advise.Proposal {
	t.Helper()
	for _, p := range append(r.Proposals, r.Losing...) {
		if p.Name == name {
			return p
		}
	}
	require.Fail(t, "no design", name)
	return nil
}

// A comment without effect is a fault.
func TestCommentsWithoutEffect(t *testing.T) {
	t.Parallel()
	const query = "SELECT * FROM customers WHERE id = ?;"
	for text, want := range map[string]string{
		query + "\n-- aml:rate 5/s\n":                               "w.cql:2:8: aml:rate has no SELECT below it: write it above one",
		"-- aml:rate 5/s\n-- aml:rate 6/s\n" + query + "\n":         "w.cql:2:8: the SELECT in line 3 has another aml:rate: delete one",
		query + " -- aml:rate 5/s\n":                                "w.cql:1:42: aml:rate follows other text on its line, where it has no effect: write it on a line of its own, above the SELECT",
		query + "\n-- aml:latency 5ms\n\n  //  aml:priority 2\n":    "w.cql:2:8: aml:latency has no SELECT below it: write it above one",
		"-- aml:write Customer.Vehicles paint 5/s\n" + query + "\n": "w.cql:1:8: there is no operation \"paint\": the operations are read by root, read by element, insert, add, change, move, rename, delete",
	} {
		_, faults := advise.Parse("w.cql", text)
		require.NotEmpty(t, faults, text)
		require.Equal(t, want, faults[0].String(), text)
	}
}

// Designs with the same reason share a line, and a design without a store cannot serve a workload.
func TestDesignsThatCannotServeTheWorkload(t *testing.T) {
	t.Parallel()
	text := report(t, quickstart, "-- aml:rate 5/s\nSELECT * FROM vehicles WHERE plate = ?;\n-- aml:write Customer.Vehicles move 5/s\n").Text()
	require.Contains(t, text, "  -  embedded-list, embedded-list-versioned, embedded-map, embedded-map-versioned: no read by element: no table has the key of Vehicle: only a scan of all roots finds one\n")
	r := declaredReport(t, `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID       int32     $aml:"id,identifier"$
	Tags     Tags      $aml:"tags,type='list<text>'"$
	Vehicles []Vehicle $aml:"vehicles,composition,max=20"$
}

type Vehicle struct {
	aml.Entity $aml:"vehicle"$

	Plate string $aml:"plate,identifier"$
}

type Tags struct{ list []string }

func (Tags) Value() (any, error) { return nil, nil }
func (*Tags) Scan(any) error     { return nil }
`, "-- aml:write Customer.Vehicles add 5/s\n").Relationships[0]
	require.Empty(t, names(r.Proposals))
	require.Equal(t, "no store: AML103: a type that package database/sql converts into list<text> is not executed yet", r.Cannot[0].Reason)
}

// An unused table is named with what it has: parts, roots, or rows that follow a root.
func TestUnusedTables(t *testing.T) {
	t.Parallel()
	text := advice(t, inMemory(t, customers+`
type Order struct {
	aml.Entity "aml:\"orders,part=Customer\""

	ID     int32 "aml:\"id,identifier\""
	Number int32 "aml:\"number,discriminator\""
}
`), "-- aml:rate 1/s\nSELECT * FROM orders WHERE name = ?;\n", advise.DefaultConfig()).Text()
	require.Contains(t, text, "  orders: the parts of Customer\n")
	require.Contains(t, text, "  customers: a root; if its rows are read, add the query\n")
}

// A text that is not CQL is a fault: the advice would be for another workload. A query of a table that does not exist yet has no answer.
func TestTextsThatAreNotCQL(t *testing.T) {
	t.Parallel()
	files, err := load.Read(t.Context(), quickstart)
	require.NoError(t, err)
	w, faults := advise.Parse("w.cql", "-- aml:rate 5/s\nthis is not CQL;\nSELECT * FROM sellers WHERE id = ?;\n")
	require.Empty(t, faults)
	r, faults, err := advise.New(files, w, advise.DefaultConfig())
	require.NoError(t, err)
	require.Nil(t, r)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].String(), "w.cql:2:1: AML701: want a statement, found this")
	require.Len(t, report(t, quickstart, "SELECT * FROM sellers WHERE id = ?;\n").Unanswered, 1)
}
