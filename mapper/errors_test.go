package mapper_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
)

func ExampleConstraintError() {
	var err error = &mapper.ConstraintError{Aggregate: "Customer", Table: "customers", Key: "id=7",
		Violations: []mapper.Violation{{Path: "Name", Problem: "is required"}, {Path: "Vehicles[2].Plate", Problem: "is required"}}}
	fmt.Println(err)
	if constraint, ok := errors.AsType[*mapper.ConstraintError](err); ok {
		fmt.Println(constraint.Violations[1].Path)
	}
	// Output:
	// mapper: Customer (customers id=7): Name is required; Vehicles[2].Plate is required
	// Vehicles[2].Plate
}

func ExampleUnknownOutcomeError() {
	timeout := errors.New("write timeout")
	err := &mapper.UnknownOutcomeError{Aggregate: "Customer", Table: "customers", Key: "id=7", Repeatable: true, Err: timeout}
	fmt.Println(err)
	fmt.Println(errors.Is(err, timeout))
	// Output:
	// mapper: Customer (customers id=7): outcome unknown, repeating the call is safe: write timeout
	// true
}

func ExampleSchemaError() {
	fmt.Println(&mapper.SchemaError{Keyspace: "shop", Faults: []mapper.SchemaFault{
		{Table: "customers"}, {Table: "vehicles", Column: "color", Want: "text", Have: "int"}, {Type: "owner", Column: "name"}}})
	// Output: mapper: keyspace shop: table customers is missing; table vehicles.color is int, not text; type owner.name is missing: apply the migrations first (migrate.Up); aml diff NAME writes the migration for what none of them creates
}

func ExampleDecodeError() {
	fmt.Println(&mapper.DecodeError{Aggregate: "Customer", Table: "customers", Key: "id=7", Column: "age", Problem: "has a value of 3 bytes"})
	fmt.Println(&mapper.BatchTooLargeError{Aggregate: "Customer", Table: "customers", Key: "id=7", Bytes: 60000, Limit: 51200})
	fmt.Println(&mapper.BatchTooLargeError{Aggregate: "Customer", Table: "customers", Key: "id=7", Bytes: 20_000_000, Limit: 16 << 20})
	// Output:
	// mapper: Customer (customers id=7): column age has a value of 3 bytes
	// mapper: Customer (customers id=7): the write has 60000 bytes, the limit is 51200: mark the aggregate as large, which allows several batches, store less in one aggregate (max= bounds a collection), or set Config.BatchLimit to batch_size_fail_threshold of the servers
	// mapper: Customer (customers id=7): the write has 20000000 bytes, the limit is 16777216: store less in one aggregate (max= bounds a collection)
}

func ExampleSafeToRepeat() {
	timeout := errors.New("write timeout")
	for _, err := range []error{
		nil,
		fmt.Errorf("mapper: Insert Customer: %w", timeout),
		fmt.Errorf("rename: %w", &mapper.UnknownOutcomeError{Repeatable: true, Err: timeout}),
		fmt.Errorf("rename: %w", &mapper.UnknownOutcomeError{Err: timeout}),
	} {
		fmt.Println(mapper.OutcomeUnknown(err), mapper.SafeToRepeat(err))
	}
	// Output:
	// false false
	// false true
	// true true
	// true false
}

// A value can have any number of faults. The message has the first 100.
func TestMessageOfManyFaults(t *testing.T) {
	e := &mapper.ConstraintError{Aggregate: "Customer", Table: "customers", Key: "id=7"}
	for i := range 100 {
		e.Violations = append(e.Violations, mapper.Violation{Path: fmt.Sprintf("Vehicles[%d].Plate", i), Problem: "is required"})
	}
	require.True(t, strings.HasSuffix(e.Error(), "; Vehicles[98].Plate is required; Vehicles[99].Plate is required"))
	e.Violations = append(e.Violations, e.Violations...)
	require.True(t, strings.HasSuffix(e.Error(), "; Vehicles[99].Plate is required; and 100 more"), e.Error())
}

func ExampleClockError() {
	fmt.Println(&mapper.ClockError{Host: "10.0.0.1:9042", Skew: -90 * time.Second, Limit: time.Second})
	fmt.Println(&mapper.SchemaError{Keyspace: "shop", Faults: []mapper.SchemaFault{{Table: "customers", Property: "gc_grace_seconds", Want: "at least 3600", Have: "60"}}})
	// Output:
	// mapper: the clock is 1m30s behind that of 10.0.0.1:9042, the limit is 1s: synchronize the clocks, or set Config.MaxClockSkew
	// mapper: keyspace shop: gc_grace_seconds of table customers is 60, not at least 3600
}

func ExampleSchemaError_migrations() {
	faults := []mapper.SchemaFault{{Table: "customers", Column: "fax", Want: "text"}}
	fmt.Println(&mapper.SchemaError{Keyspace: "shop", Faults: faults, Unknown: []string{"0007_drop_fax.cql"}})
	fmt.Println(&mapper.SchemaError{Keyspace: "shop", Faults: faults, Later: []string{"0003_fax.cql"}})
	// Output:
	// mapper: keyspace shop: table customers.fax is missing: the keyspace has applied 0007_drop_fax.cql, which this program does not have: deploy the release that has it; this program is older than the keyspace
	// mapper: keyspace shop: table customers.fax is missing: migrate.Up calls this function before it applies 0003_fax.cql, which may create what is missing: first deploy the release whose last migration calls the function, or call the function in a later file
}
