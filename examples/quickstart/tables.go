package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gocql/gocql"
)

// customerRow is a row of customers as the driver reads it. This file uses neither the mapper nor generated code: it computes the
// redundant table by itself, to compare it with what the mapper wrote.
type customerRow struct {
	id       gocql.UUID
	name     string
	vehicles []vehicle
}

type vehicle struct {
	Plate string `cql:"plate"`
	Color string `cql:"color"`
}

type vehicleRow struct {
	plate string
	color string
	owner owner
}

type owner struct {
	ID   gocql.UUID `cql:"id"`
	Name string     `cql:"name"`
}

func readCustomers(ctx context.Context, session *gocql.Session) ([]customerRow, error) {
	iter := session.Query(`SELECT id, name, vehicles FROM customers`).WithContext(ctx).Iter()
	var out []customerRow
	for {
		var r customerRow
		if !iter.Scan(&r.id, &r.name, &r.vehicles) {
			break
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b customerRow) int { return slices.Compare(a.id[:], b.id[:]) })
	return out, iter.Close()
}

// readVehicles returns the rows of the redundant table by plate.
func readVehicles(ctx context.Context, session *gocql.Session) (map[string]vehicleRow, error) {
	iter := session.Query(`SELECT plate, color, owner FROM vehicles`).WithContext(ctx).Iter()
	out := map[string]vehicleRow{}
	for {
		var r vehicleRow
		if !iter.Scan(&r.plate, &r.color, &r.owner) {
			break
		}
		out[r.plate] = r
	}
	return out, iter.Close()
}

// expected computes the redundant table: a row for every vehicle of every customer, with its owner.
func expected(customers []customerRow) map[string]vehicleRow {
	out := map[string]vehicleRow{}
	for _, c := range customers {
		for _, v := range c.vehicles {
			out[v.Plate] = vehicleRow{plate: v.Plate, color: v.Color, owner: owner{ID: c.id, Name: c.name}}
		}
	}
	return out
}

// compare reports every cell in which the two differ.
func compare(want, got map[string]vehicleRow) error {
	var errs []error
	for _, plate := range slices.Sorted(maps.Keys(want)) {
		w, g := want[plate], got[plate]
		if _, there := got[plate]; !there {
			errs = append(errs, fmt.Errorf("vehicles has no row %s", plate))
			continue
		}
		errs = append(errs, cell(plate, "color", w.color, g.color), cell(plate, "owner.id", w.owner.ID, g.owner.ID),
			cell(plate, "owner.name", w.owner.Name, g.owner.Name))
	}
	for _, plate := range slices.Sorted(maps.Keys(got)) {
		if _, there := want[plate]; !there {
			errs = append(errs, fmt.Errorf("vehicles has a row %s, which no customer has", plate))
		}
	}
	return errors.Join(errs...)
}

func cell(plate, column string, want, got any) error {
	if want != got {
		return fmt.Errorf("vehicles, row %s: %s is %v, computed was %v", plate, column, got, want)
	}
	return nil
}
