package query

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// literals are the types that the server accepts for each kind of literal.
var literals = map[syntax.Kind][]string{
	syntax.String:   {"text", "ascii", "inet", "date", "time", "timestamp"},
	syntax.Integer:  {"tinyint", "smallint", "int", "bigint", "counter", "varint", "decimal", "float", "double", "timestamp", "date", "time", "duration"},
	syntax.Float:    {"float", "double", "decimal"},
	syntax.Boolean:  {"boolean"},
	syntax.UUID:     {"uuid", "timeuuid"},
	syntax.Blob:     {"blob"},
	syntax.Duration: {"duration"},
	syntax.List:     {"list", "vector"},
	syntax.Set:      {"set"},
	syntax.Map:      {"map"},
	syntax.Tuple:    {"tuple"},
}

// kinds are the kinds of literals in messages.
var kinds = map[syntax.Kind]string{
	syntax.String: "a string", syntax.Integer: "an integer", syntax.Float: "a number with a fraction", syntax.Boolean: "a boolean", syntax.UUID: "a UUID",
	syntax.Blob: "a blob", syntax.Duration: "a duration", syntax.List: "a list", syntax.Set: "a set", syntax.Map: "a map", syntax.UDT: "a user-defined type", syntax.Tuple: "a tuple",
}

// values checks the types of the literals of a request.
func (k *check) values(r *request) {
	for _, w := range r.where {
		if len(w.Relation.Columns) > 1 || w.Token || w.Element != nil {
			continue
		}
		c, t := w.Column, typeOf(w.Type, w.Operator)
		if t == nil {
			k.fault(w.Relation.From, RuleValue, "use a column of a list, set or map, or =", "%s is not a collection", c.Name)
			continue
		}
		for _, v := range w.Values {
			if w.Operator == syntax.In && !w.List {
				if v.Kind != syntax.Marker {
					k.fault(v.From, RuleValue, "write IN (…) or IN ?", "IN needs a list in parentheses")
				}
				continue
			}
			if why, fix := mismatch(v, t, c.Attribute, w.Operator); why != "" {
				k.fault(v.From, RuleValue, fix, "%s is %s, but %s", c.Name, c.Type, why)
			}
		}
	}
	if n := r.near; n != nil {
		if why, fix := mismatch(*n.value, n.Type, n.Attribute, syntax.Equal); why != "" {
			k.fault(n.value.From, RuleValue, fix, "%s is %s, but %s", n.Name, n.Type, why)
		}
	}
}

// typeOf returns the type of the values that an operator compares with a column; nil if it cannot.
func typeOf(t *schema.Type, o syntax.Operator) *schema.Type {
	switch {
	case o != syntax.Contains && o != syntax.ContainsKey:
		return t
	case len(t.Args) == 0 || t.Name == "tuple" || t.Name == "vector":
		return nil
	case o == syntax.ContainsKey:
		return t.Args[0]
	}
	return t.Args[len(t.Args)-1]
}

// mismatch returns why a column of a type cannot have a value, and how to fix it; "" if it can.
func mismatch(v syntax.Value, t *schema.Type, a *model.Attribute, o syntax.Operator) (why, fix string) {
	switch {
	case v.Kind == syntax.Marker || v.Kind == syntax.Function:
		return "", ""
	case v.Kind == syntax.Null:
		return "a restriction cannot compare with null", "read the rows by their key and select those without a value in Go"
	case t.UDT && v.Kind == syntax.UDT:
		return "", ""
	case v.Kind == syntax.Set && len(v.Of) == 0 && t.Name == "map":
		return "", ""
	case t.UDT || !slices.Contains(literals[v.Kind], t.Name):
		return "the literal is " + kinds[v.Kind], "write a literal of this type, or ?"
	}
	if why := inside(v, t); why != "" {
		return why, "write a literal of this type, or ?"
	}
	if o != syntax.Contains && a.Enum && v.Kind != syntax.Marker && !slices.ContainsFunc(a.Type.Go.Constants, func(c model.Constant) bool { return strings.EqualFold(c.Value, v.Text) }) {
		var all []string
		for _, c := range a.Type.Go.Constants {
			all = append(all, c.Name)
		}
		return v.Text + " is no constant of " + a.Type.Go.Text, "use the value of one of its constants: " + strings.Join(all, ", ")
	}
	return "", ""
}

// inside checks the content of a literal of the right kind.
func inside(v syntax.Value, t *schema.Type) string {
	switch t.Name {
	case "list", "set", "vector":
		if t.Name == "vector" && len(v.Of) != t.Size {
			return fmt.Sprintf("the literal has %d of %d elements", len(v.Of), t.Size)
		}
		for _, e := range v.Of {
			if why, _ := mismatch(e, t.Args[0], &model.Attribute{}, syntax.Equal); why != "" {
				return why
			}
		}
		return ""
	case "map":
		for i, e := range v.Of {
			if why, _ := mismatch(e, t.Args[i%2], &model.Attribute{}, syntax.Equal); why != "" {
				return why
			}
		}
		return ""
	case "tuple":
		if len(v.Of) > len(t.Args) {
			return fmt.Sprintf("the literal has %d values, more than %d", len(v.Of), len(t.Args))
		}
		return ""
	}
	if !readable(v, t.Name) {
		return v.Text + " is no " + t.Name
	}
	return ""
}

// bits are the sizes of the integers.
var bits = map[string]int{"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64, "counter": 64, "timestamp": 64, "time": 64}

// readable reports whether a native type has a value for a literal of the right kind.
func readable(v syntax.Value, native string) bool {
	switch n, sized := bits[native]; {
	case v.Kind == syntax.Integer && sized:
		_, err := strconv.ParseInt(v.Text, 10, n)
		return err == nil
	case v.Kind == syntax.Integer && native == "date":
		_, err := strconv.ParseUint(v.Text, 10, 32)
		return err == nil
	case v.Kind == syntax.UUID && native == "timeuuid":
		return v.Text[14] == '1'
	case v.Kind != syntax.String:
		return true
	}
	switch native {
	case "ascii":
		return !strings.ContainsFunc(v.Text, func(r rune) bool { return r > 127 })
	case "inet":
		_, err := netip.ParseAddr(v.Text)
		return err == nil
	case "timestamp", "date":
		_, ok := parseTime(v.Text, native)
		return ok
	}
	return true
}

// parseTime reads a timestamp or a date as the server does. A timestamp without a zone is in UTC here.
func parseTime(text, native string) (time.Time, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && native == "timestamp" {
		return time.UnixMilli(n).UTC(), true
	}
	layouts := []string{"2006-01-02"}
	if native == "timestamp" {
		for _, clock := range []string{"", " 15:04", " 15:04:05", "T15:04", "T15:04:05"} {
			for _, zone := range []string{"", "Z", "-07:00", "-0700", "-07", " -0700", " MST", " Z"} {
				layouts = append(layouts, "2006-01-02"+clock+zone)
			}
		}
	}
	for _, l := range layouts {
		if t, err := time.Parse(l, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// value returns a value of a column in Go: a literal as an expression, if Go has a short one, or a variable.
func (w *writer) value(c *schema.Column, suffix string, v syntax.Value) string {
	t := c.Attribute.Type
	name := model.LowerFirst(c.Attribute.GoName())
	if on := w.on(c, syntax.Contains); on != nil && t.Elem != nil {
		t, name = t.Elem, strings.TrimSuffix(name, "s")
	}
	if suffix != "" && w.on(c, syntax.AtLeast, syntax.More) != nil && w.on(c, syntax.AtMost, syntax.Less) != nil {
		name += suffix
	}
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
	if t.Kind != model.Scalar && t.Kind != model.Vector || t.Conversion != model.ByKind {
		return "", false
	}
	for _, c := range t.Go.Constants {
		if n := t.Go.Named; c.Value == v.Text && n != nil && n.Path == w.Model.Package.Path && c.Name != "" {
			return w.Model.Package.Name + "." + c.Name, true
		}
	}
	if write := expressions[t.Go.Kind]; write != nil {
		return write(v, t)
	}
	return "", false
}

// expressions write the literals of the Go types that have a short form.
var expressions = map[model.GoKind]func(syntax.Value, *model.Type) (string, bool){
	model.String: func(v syntax.Value, _ *model.Type) (string, bool) { return strconv.Quote(v.Text), true },
	model.Bool:   func(v syntax.Value, _ *model.Type) (string, bool) { return strings.ToLower(v.Text), true },
	model.Int:    same, model.Int8: same, model.Int16: same, model.Int32: same, model.Int64: same, model.Float32: same, model.Float64: same,
	model.Bytes: bytesOf,
	model.UUID: func(v syntax.Value, _ *model.Type) (string, bool) {
		return "gocql.UUID{" + hexBytes(strings.ReplaceAll(v.Text, "-", "")) + "}", true
	},
	model.Time:   timeOf,
	model.BigInt: func(v syntax.Value, _ *model.Type) (string, bool) { return "big.NewInt(" + v.Text + ")", fits(v.Text) },
	model.InfDec: decimalOf,
	model.IP: func(v syntax.Value, _ *model.Type) (string, bool) {
		return "net.ParseIP(" + strconv.Quote(v.Text) + ")", true
	},
	model.Addr: func(v syntax.Value, _ *model.Type) (string, bool) {
		return "netip.MustParseAddr(" + strconv.Quote(v.Text) + ")", true
	},
	model.Slice: vectorOf, model.Array: vectorOf,
}

// same returns a number, which Go writes like CQL, except for NaN and Infinity.
func same(v syntax.Value, _ *model.Type) (string, bool) {
	f, err := strconv.ParseFloat(v.Text, 64)
	return v.Text, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

func fits(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

func bytesOf(v syntax.Value, _ *model.Type) (string, bool) {
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

func timeOf(v syntax.Value, t *model.Type) (string, bool) {
	at, ok := parseTime(v.Text, t.CQL)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, time.UTC)", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond()), true
}

// decimalOf returns a decimal without an exponent.
func decimalOf(v syntax.Value, _ *model.Type) (string, bool) {
	whole, fraction, _ := strings.Cut(v.Text, ".")
	unscaled, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok || !unscaled.IsInt64() {
		return "", false
	}
	return fmt.Sprintf("inf.NewDec(%s, %d)", unscaled, len(fraction)), true
}

// vectorOf returns the elements of a vector.
func vectorOf(v syntax.Value, t *model.Type) (string, bool) {
	var out []string
	for _, e := range v.Of {
		text, ok := same(e, t.Elem)
		if !ok {
			return "", false
		}
		out = append(out, text)
	}
	return t.Go.Text + "{" + strings.Join(out, ", ") + "}", t.Kind == model.Vector && t.Go.Named == nil
}
