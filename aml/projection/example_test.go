package projection_test

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
)

// A table customers (id, name) has a copy under the key (name, id).
func ExampleDerive() {
	d := projection.Derive(projection.Program{
		Source: make([]projection.Cell, 2), Columns: []uint16{1, 0}, Copy: make([]projection.Cell, 2), Key: 2,
	})
	fmt.Println("a new name is another row:", d.Exists.Units.Has(1))
	// Output: a new name is another row: true
}
