package load_test

import (
	"context"
	"fmt"

	"github.com/cassaml/cassaml/aml/load"
)

func ExampleLoad() {
	p, err := load.Load(context.Background(), "testdata/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Structs {
		fmt.Println(s.Name)
		for _, f := range s.Fields {
			if f.Exported && !f.Embedded {
				fmt.Printf("  %s %s %q\n", f.Name, f.Type.Text, f.Tag.Text)
			}
		}
	}
	// Output:
	// Customer
	//   ID int32 "id,identifier"
	//   Name string "name,required"
	//   Vehicles []Vehicle "vehicles,composition,max=20"
	// Vehicle
	//   Plate string ",required"
	//   Color string ""
	// VehicleByPlate
	//   Plate string "plate,identifier"
	//   Owner string "owner,from=Customer.Name"
}
