package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gocql/gocql"
)

// What follows reads both tables through the driver alone and computes the redundant one anew, so that it can be held
// against what the mapper wrote. Nothing here knows the mapper or the generated code.

type clientRow struct {
	id       int
	name     string
	emails   []string
	phones   []string
	vehicles []vehicle
}

type vehicle struct {
	Plate  string `cql:"placa"`
	Colour string `cql:"cor"`
}

type vehicleRow struct {
	plate  string
	colour string
	owner  owner
}

type owner struct {
	ID   int    `cql:"id"`
	Name string `cql:"nome"`
}

func readClients(ctx context.Context, session *gocql.Session) ([]clientRow, error) {
	iter := session.Query(`SELECT id, nome, emails, telefones, veiculos FROM clientes`).WithContext(ctx).Iter()
	var out []clientRow
	for {
		var r clientRow
		if !iter.Scan(&r.id, &r.name, &r.emails, &r.phones, &r.vehicles) {
			break
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b clientRow) int { return a.id - b.id })
	return out, iter.Close()
}

// readVehicles returns the rows of the redundant table by plate.
func readVehicles(ctx context.Context, session *gocql.Session) (map[string]vehicleRow, error) {
	iter := session.Query(`SELECT placa, cor, cliente FROM veiculos`).WithContext(ctx).Iter()
	out := map[string]vehicleRow{}
	for {
		var r vehicleRow
		if !iter.Scan(&r.plate, &r.colour, &r.owner) {
			break
		}
		out[r.plate] = r
	}
	return out, iter.Close()
}

// expected computes the redundant table: a row for every vehicle of every client, the owner in it.
func expected(clients []clientRow) map[string]vehicleRow {
	out := map[string]vehicleRow{}
	for _, c := range clients {
		for _, v := range c.vehicles {
			out[v.Plate] = vehicleRow{plate: v.Plate, colour: v.Colour, owner: owner{ID: c.id, Name: c.name}}
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
			errs = append(errs, fmt.Errorf("veiculos has no row %s", plate))
			continue
		}
		errs = append(errs, cell(plate, "cor", w.colour, g.colour), cell(plate, "cliente.id", w.owner.ID, g.owner.ID),
			cell(plate, "cliente.nome", w.owner.Name, g.owner.Name))
	}
	for _, plate := range slices.Sorted(maps.Keys(got)) {
		if _, there := want[plate]; !there {
			errs = append(errs, fmt.Errorf("veiculos has a row %s, which no client has", plate))
		}
	}
	return errors.Join(errs...)
}

func cell(plate, column string, want, got any) error {
	if want != got {
		return fmt.Errorf("veiculos, row %s: %s is %v, the clients say %v", plate, column, got, want)
	}
	return nil
}
