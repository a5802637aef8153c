package cqltype_test

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
)

func ExampleParse() {
	t, err := cqltype.Parse("MAP<varchar, frozen<Part>>")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t)
	fmt.Println(t.Args[1].Unfrozen().Name, t.Args[1].Unfrozen().IsUDT())
	// Output:
	// map<text, frozen<part>>
	// part true
}

func ExampleLookup() {
	n, _ := cqltype.Lookup("smallint")
	fmt.Println(n.Go[0].Text, n.Size, n.Wider)
	// Output: int16 2 [int bigint varint decimal float double]
}
