// Package cell implements the value format of the CQL binary protocol: it encodes Go values to the bytes that Cassandra stores,
// and decodes them. It uses no driver, no table and no reflection.
//
// One encoded value is a [Cell], one row of a table is a [Row]. An [Encoder] writes values into one slice of bytes, each after
// its length, exactly as the members of a UDT are encoded. So one function per struct encodes both a UDT and a row, and
// [Encoder.Cells] slices the row's cells without copying. A [Decoder] is the inverse.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/mapper/internal/cell"
//	)
//
//	type Vehicle struct{ Plate, Color string }
//
//	type Customer struct {
//		ID       int32
//		Name     string
//		Vehicles []Vehicle
//	}
//
//	func encodeVehicle(e *cell.Encoder, v *Vehicle) { e.Text(v.Plate); e.Text(v.Color) }
//	func decodeVehicle(d *cell.Decoder, v *Vehicle) { v.Plate = d.Text(); v.Color = d.Text() }
//
//	func main() {
//		var e cell.Encoder
//		e.Int(1)
//		e.Text("Ana")
//		cell.EncodeStructs(&e, []Vehicle{{"ABC1234", "blue"}}, encodeVehicle)
//		row, err := e.Cells(nil)
//		if err != nil {
//			panic(err)
//		}
//		var d cell.Decoder
//		d.Row(row)
//		c := Customer{d.Int(), d.Text(), cell.DecodeStructs(&d, decodeVehicle)}
//		fmt.Println(c, d.Err())
//	}
//
// The encoding is canonical where Cassandra compares values: sets and maps are written in the order of the type of their
// elements or keys, and elements or keys that are equal in Cassandra have equal bytes (package form). Cassandra does not sort
// those inside a UDT or a tuple.
package cell
