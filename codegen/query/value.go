package query

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// literals are the names of the kinds of literals, as package cqltype and the types with arguments have them.
var literals = map[syntax.Kind][]string{
	syntax.String: {"string"}, syntax.Integer: {"integer"}, syntax.Float: {"float"}, syntax.Boolean: {"boolean"}, syntax.UUID: {"uuid"},
	syntax.Blob: {"blob"}, syntax.Duration: {"duration"}, syntax.List: {"list", "vector"}, syntax.Set: {"set"}, syntax.Map: {"map"}, syntax.Tuple: {"tuple"},
}

// accepts reports whether a type has literals of a kind.
func accepts(t *schema.Type, k syntax.Kind) bool {
	accepted := []string{t.Name}
	if n, ok := cqltype.Lookup(t.Name); ok {
		accepted = n.Literals
	}
	return slices.ContainsFunc(literals[k], func(name string) bool { return slices.Contains(accepted, name) })
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
		c, t := w.Column, comparedType(w.Type, w.Operator)
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
			k.literal(c, t, w.Operator, v)
		}
	}
	for _, w := range r.keysets {
		for i, c := range w.columns {
			k.literal(c, c.Type, w.Operator, w.value(i))
		}
	}
	if n := r.near; n != nil {
		if why, fix := mismatch(*n.value, n.Type, n.Attribute, syntax.Equal); why != "" {
			k.fault(n.value.From, RuleValue, fix, "%s is %s, but %s", n.Name, n.Type, why)
		}
	}
}

// literal checks the type of a literal that is compared with a column, or with its elements.
func (k *check) literal(c *schema.Column, t *schema.Type, o syntax.Operator, v syntax.Value) {
	why, fix := mismatch(v, t, c.Attribute, o)
	if why == "" {
		return
	}
	if c.Attribute.Secret {
		why = "the literal is not, or is out of its range"
	}
	k.fault(v.From, RuleValue, fix, "%s is %s, but %s", c.Name, c.Type, why)
}

// comparedType returns the type of the values that an operator compares with a column; nil if it cannot.
func comparedType(t *schema.Type, o syntax.Operator) *schema.Type {
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
	case t.UDT || !accepts(t, v.Kind):
		return "the literal is " + kinds[v.Kind], "write a literal of this type, or ?"
	}
	if why := checkContent(v, t); why != "" {
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

// checkContent checks the content of a literal of the right kind.
func checkContent(v syntax.Value, t *schema.Type) string {
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

// readable reports whether a native type has a value for a literal of the right kind.
func readable(v syntax.Value, native string) bool {
	n, _ := cqltype.Lookup(native)
	switch {
	case v.Kind == syntax.Float && native == "decimal":
		return strings.Trim(strings.ToLower(v.Text), "-0123456789.e+") == ""
	case v.Kind == syntax.Integer && native == "time":
		nanoseconds, err := strconv.ParseInt(v.Text, 10, 64)
		return err == nil && nanoseconds >= 0 && nanoseconds < int64(24*time.Hour)
	case v.Kind == syntax.Integer && native == "date":
		_, err := strconv.ParseUint(v.Text, 10, 32)
		return err == nil
	case v.Kind == syntax.Integer && n.Size > 0 && !slices.Contains(n.Literals, "float"):
		_, err := strconv.ParseInt(v.Text, 10, 8*n.Size)
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
	case "time":
		_, err := time.Parse(time.TimeOnly, v.Text)
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

// decimal returns an integer without leading zeros, with which Go would read it as octal.
func decimal(text string) string {
	digits, negative := strings.CutPrefix(text, "-")
	digits = strings.TrimLeft(digits, "0")
	switch {
	case digits == "":
		return "0"
	case negative:
		return "-" + digits
	}
	return digits
}
