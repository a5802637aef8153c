package diff_test

import (
	"context"
	"errors"
	"fmt"
	"testing/fstest"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// planFrom returns the plan from the keyspace that one file creates to the model in aml/load/testdata/shop.
func planFrom(cql string) (*diff.Plan, error) {
	p, err := load.Load(context.Background(), "../../aml/load/testdata/shop")
	if err != nil {
		return nil, err
	}
	m, faults := model.Build(p)
	if model.Refused(faults) {
		return nil, fmt.Errorf("%v", faults)
	}
	files, err := folder.Read(fstest.MapFS{"0001_init.cql": {Data: []byte(cql)}})
	if err != nil {
		return nil, err
	}
	from, err := catalog.Replay(files)
	if err != nil {
		return nil, err
	}
	return diff.Diff(from, schema.New(m))
}

func ExampleDiff() {
	plan, err := planFrom("CREATE TABLE customers (id int PRIMARY KEY, name text)")
	fmt.Println(err)
	for _, step := range plan.Steps {
		fmt.Println(step)
	}
	// Output:
	// <nil>
	// CREATE TYPE IF NOT EXISTS vehicle (
	//     plate text,
	//     color text
	// )
	// -- Customer.Vehicles is new.
	// ALTER TABLE customers ADD vehicles list<frozen<vehicle>>
	// CREATE TABLE IF NOT EXISTS vehicles_by_plate (
	//     plate text PRIMARY KEY,
	//     owner text
	// )
	// -- vehicles_by_plate is filled from Customer.
	// -- aml:backfill vehicles_by_plate
}

// No ALTER can change the type of a column.
func ExampleRefusedError() {
	_, err := planFrom("CREATE TABLE customers (id int PRIMARY KEY, name bigint)")
	refused, ok := errors.AsType[*diff.RefusedError](err)
	fmt.Println(ok)
	for _, d := range refused.Refusals {
		fmt.Println(d.Rule.Code, d.What)
	}
	// Output:
	// true
	// MIG002 column name of customers is bigint and cannot become text
}
