package cell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// payment has a group of alternatives, and the name of the alternative in use.
type payment struct {
	Card *string
	Cash *int32
}

func decodePayment(d *cell.Decoder, v *payment) {
	choice := d.Text()
	v.Card = cell.DecodeNullable(d, (*cell.Decoder).Text)
	v.Cash = cell.DecodeNullable(d, (*cell.Decoder).Int)
	d.CheckChoice(0, choice, cell.Alternative{Name: "card", Present: v.Card != nil}, cell.Alternative{Name: "cash", Present: v.Cash != nil})
}

// The name of the alternative in use must be that of one with a value, in every position of the group.
func TestDamagedChoice(t *testing.T) {
	text, cash := cell.Cell("x"), cell.Cell{0, 0, 0, 7}
	for _, c := range []struct {
		name, card, cash cell.Cell
		want             string
	}{
		{nil, nil, nil, ""},
		{cell.Cell("card"), text, nil, ""},
		{cell.Cell("cash"), text, cash, ""}, // two concurrent writes
		{nil, nil, cash, ""},                // another program wrote no name
		{cell.Cell("card"), nil, nil, ""},   // a UDT of nulls is stored as null
		{cell.Cell("coupon"), nil, nil, ""}, // an alternative of a newer program
		{cell.Cell("card"), nil, cash, "names an alternative that has no value, but cash has one"},
		{cell.Cell("coupon"), text, nil, "names an alternative that has no value, but card has one"},
	} {
		row := cell.Row{c.name, c.card, c.cash}
		var nested []byte
		for _, v := range row {
			nested = cell.AppendValue(nested, v)
		}
		for path, decode := range map[string]func(*cell.Decoder){
			"column 0 ":          func(d *cell.Decoder) { d.Row(row); decodePayment(d, new(payment)) },
			"column 0 member 0 ": func(d *cell.Decoder) { d.Row(cell.Row{nested}); cell.DecodePointer(d, decodePayment) },
			"column 0[0] member 0 ": func(d *cell.Decoder) {
				d.Row(cell.Row{cell.AppendValue(cell.AppendCount(nil, 1), nested)})
				cell.DecodeStructs(d, decodePayment)
			},
		} {
			var d cell.Decoder
			if decode(&d); c.want == "" {
				require.NoError(t, d.Err(), "%s %s", path, c.name)
			} else {
				require.EqualError(t, d.Err(), path+c.want)
			}
		}
	}
}
