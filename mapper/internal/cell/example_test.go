package cell_test

import (
	"fmt"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

func ExampleEncoder() {
	var e cell.Encoder
	e.Int(7)
	e.Text("Ana")
	e.Null()
	cell.EncodeList(&e, []string{"a", "b"}, (*cell.Encoder).Text)
	row, err := e.Cells(nil)
	fmt.Printf("%x %v\n", row, err)
	// Output: [00000007 416e61  0000000200000001610000000162] <nil>
}

func ExampleDecoder() {
	var d cell.Decoder
	d.Row(cell.Row{{0, 0, 0, 7}, cell.Cell("Ana"), nil})
	fmt.Println(d.Int(), d.Text(), d.Timestamp().IsZero(), d.Err())
	// Output: 7 Ana true <nil>
}

func ExampleEncoder_Err() {
	type vehicle struct{ plate string }
	var e cell.Encoder
	e.Int(7)
	cell.EncodeStructs(&e, []vehicle{{"ABC1234"}, {"\xff"}}, func(e *cell.Encoder, v *vehicle) { e.Text(v.plate) })
	fmt.Println(e.Err())
	// Output: column 1[1] member 0 is not valid UTF-8
}

func ExampleFormat() {
	fmt.Println(cell.Format("text", cell.Cell("São Paulo")), cell.Format("boolean", cell.Cell{1}))
	// Output: 'São Paulo' true
}
