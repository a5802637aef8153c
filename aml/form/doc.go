// Package form compares encoded values as Cassandra does, type by type, and chooses one encoding if Cassandra treats several as
// equal.
//
// Cassandra compares clustering keys, the elements of sets and the keys of maps by value: the decimals 1.0 and 1.00 are one
// element, and so are NaNs with different bits and a varint with superfluous leading bytes. It compares partition keys and all
// other values by their bytes. A program that compares encodings needs one encoding of such values:
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/form"
//	)
//
//	func main() {
//		f := form.Must("decimal")
//		a, b := []byte{0, 0, 0, 1, 10}, []byte{0, 0, 0, 2, 100} // 1.0 and 1.00
//		fmt.Println(f.Compare(a, b), f.Canonical(a), f.Canonical(b)) // 0 [0 0 0 0 1] [0 0 0 0 1]
//	}
//
// # Canonical encodings
//
// A decimal has no trailing zeros, and zero has the scale 0; a varint, and the digits of a decimal, have as few bytes as
// possible; a NaN has the bits of Java's NaN; true is 1. All values inside a canonical value are canonical, and its sets and maps are in
// the order of their types.
package form
