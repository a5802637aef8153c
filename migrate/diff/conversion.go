package diff

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/schema"
)

// Conversion is a change of the type of a value. Where the new type has a value for each one of the old type, it is written
// for the user.
type Conversion struct {
	From, To string // types of Go
	What     string // "points_2, of type int, follows from points, of type text"
	Result   string // the expression that converts v; "" where the user has to write the conversion
	imports  []string
}

// goType returns the type of Go that the driver reads and writes a native type as; the zero one for any other type.
func goType(t *schema.Type) cqltype.Go {
	n, ok := cqltype.Lookup(native(t))
	if !ok {
		return cqltype.Go{}
	}
	return n.Go[slices.IndexFunc(n.Go, func(g cqltype.Go) bool { return !g.Foreign })]
}

// conversion returns how a column becomes another of another type, nil where one of the types has no Go type.
func conversion(was, c *schema.Column) *Conversion {
	from, to := goType(was.Type), goType(c.Type)
	if from.Text == "" || to.Text == "" {
		return nil
	}
	return &Conversion{
		From: from.Text, To: to.Text, Result: widened(native(was.Type), native(c.Type), from.Text == to.Text, to.Text),
		What:    fmt.Sprintf("%s, of type %s, follows from %s, of type %s", c.Name, c.Type, was.Name, was.Type),
		imports: []string{from.Import, to.Import},
	}
}

// widened returns the expression that makes of v the same value of a wider type, which the driver has as a type of Go; "" where
// the other type is none.
func widened(from, to string, sameGo bool, goType string) string {
	n, ok := cqltype.Lookup(from)
	if !ok {
		return ""
	}
	switch {
	case !slices.Contains(n.Wider, to):
		return ""
	case from == "varint":
		return "inf.NewDecBig(v, 0)"
	case to == "varint":
		return "big.NewInt(int64(v))"
	case to == "decimal":
		return "inf.NewDec(int64(v), 0)"
	case sameGo:
		return "v"
	}
	return goType + "(v)"
}
