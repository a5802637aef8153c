package query

import (
	"fmt"
	"go/token"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// value returns a value of a column in Go: a literal as an expression, if Go has a short one, or a variable.
func (w *writer) value(c *schema.Column, suffix string, v syntax.Value) string {
	t := c.Attribute.Type
	name := model.LowerFirst(c.Attribute.GoName())
	if on := w.restriction(c, syntax.Contains); on != nil && t.Elem != nil {
		t, name = t.Elem, strings.TrimSuffix(name, "s")
	}
	if suffix != "" && w.restriction(c, syntax.AtLeast, syntax.More) != nil && w.restriction(c, syntax.AtMost, syntax.Less) != nil {
		name += suffix
	}
	return w.literal(t, name, v)
}

// compare returns the value of a column that is compared with others. suffix distinguishes two bounds.
func (w *writer) compare(c *schema.Column, suffix string, v syntax.Value) string {
	return w.literal(c.Attribute.Type, model.LowerFirst(c.Attribute.GoName())+suffix, v)
}

// literal returns a value in Go: the literal, or a variable of a name.
func (w *writer) literal(t *model.Type, name string, v syntax.Value) string {
	if v.Kind != syntax.Marker {
		if text, ok := w.expression(v, t); ok {
			return text
		}
		name = w.variable("", name, w.goType(t.Go))
		w.note("%s is %s", name, oneLine(w.text[v.From:v.To]))
		return name
	}
	return w.variable(v.Text, name, w.goType(t.Go))
}

// expression returns a literal in Go; ok is false if it has no short form.
func (w *writer) expression(v syntax.Value, t *model.Type) (string, bool) {
	if v.Kind == syntax.Function || t.Kind != model.Scalar && t.Kind != model.Vector || t.Conversion != model.ByKind {
		return "", false
	}
	for _, c := range t.Go.Constants {
		if n := t.Go.Named; c.Value == v.Text && n != nil && n.Path == w.Model.Package.Path && token.IsExported(c.Name) {
			return w.Model.Package.Name + "." + c.Name, true
		}
	}
	if write := expressions[t.Go.Kind]; write != nil {
		return write(v, t)
	}
	if g, _ := t.Native(); g.Literal != "" {
		return fmt.Sprintf(g.Literal, v.Text), true
	}
	return "", false
}

// expressions write the literals of the Go types for which a format is not enough.
var expressions = map[model.GoKind]func(syntax.Value, *model.Type) (string, bool){
	model.Bool: func(v syntax.Value, _ *model.Type) (string, bool) { return strings.ToLower(v.Text), true },
	model.Int:  integer, model.Int8: integer, model.Int16: integer, model.Int32: integer, model.Int64: integer, model.Float32: float, model.Float64: float,
	model.Bytes: formatBytes,
	model.UUID:  uuidLiteral,
	model.Time:  formatTime,
	model.BigInt: func(v syntax.Value, _ *model.Type) (string, bool) {
		return "big.NewInt(" + decimal(v.Text) + ")", fits(v.Text, 64)
	},
	model.InfDec: formatDecimal,
	model.Slice:  formatVector, model.Array: formatVector,
}

// bits returns the size of a number.
func bits(t *model.Type) int {
	n, _ := cqltype.Lookup(t.CQL)
	return 8 * n.Size
}

func integer(v syntax.Value, t *model.Type) (string, bool) {
	return decimal(v.Text), v.Kind == syntax.Integer && fits(v.Text, bits(t))
}

// float returns a number, which Go writes like CQL, except for numbers that have no constant: NaN, -0, Infinity, and numbers that round to it.
func float(v syntax.Value, t *model.Type) (string, bool) {
	text := v.Text
	switch v.Kind {
	case syntax.Integer:
		text = decimal(text)
	case syntax.Float:
	default:
		return "", false
	}
	f, err := strconv.ParseFloat(text, bits(t))
	return text, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) && !(f == 0 && math.Signbit(f))
}

func fits(text string, bits int) bool {
	_, err := strconv.ParseInt(text, 10, bits)
	return err == nil
}

// uuidLiteral returns a UUID, as an array if its type is not the UUID type of the driver: Go assigns it to each type over [16]byte.
func uuidLiteral(v syntax.Value, t *model.Type) (string, bool) {
	name := "[16]byte"
	if n := t.Go.Named; n != nil && n.Pkg+"."+n.Name == t.Go.Kind.Native() {
		name = t.Go.Kind.Native()
	}
	return name + "{" + hexBytes(strings.ReplaceAll(v.Text, "-", "")) + "}", true
}

func formatBytes(v syntax.Value, _ *model.Type) (string, bool) {
	return "[]byte{" + hexBytes(v.Text[len("0x"):]) + "}", len(v.Text) <= len("0x")+2*32
}

// hexBytes returns hexadecimal digits as the elements of a slice.
func hexBytes(digits string) string {
	var out []string
	for i := 0; i+1 < len(digits); i += 2 {
		out = append(out, "0x"+strings.ToLower(digits[i:i+2]))
	}
	return strings.Join(out, ", ")
}

func formatTime(v syntax.Value, t *model.Type) (string, bool) {
	at, ok := parseTime(v.Text, t.CQL)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, time.UTC)", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond()), true
}

// formatDecimal returns a decimal without an exponent.
func formatDecimal(v syntax.Value, _ *model.Type) (string, bool) {
	whole, fraction, _ := strings.Cut(v.Text, ".")
	unscaled, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok || !unscaled.IsInt64() {
		return "", false
	}
	return fmt.Sprintf("inf.NewDec(%s, %d)", unscaled, len(fraction)), true
}

// formatVector returns the elements of a vector.
func formatVector(v syntax.Value, t *model.Type) (string, bool) {
	var out []string
	for _, e := range v.Of {
		text, ok := float(e, t.Elem)
		if !ok {
			return "", false
		}
		out = append(out, text)
	}
	return t.Go.Text + "{" + strings.Join(out, ", ") + "}", t.Kind == model.Vector && t.Go.Named == nil && t.Elem.Go.Named == nil
}
