package model

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model/property"
)

// properties reads the table properties of a marker.
func (b *builder) properties(a *Aggregate) {
	t := a.Tag
	p := &a.Properties
	p.TTL, p.Comment, p.GCGrace, p.With = t.number("ttl", 0), t.value("comment"), t.number("gc_grace", -1), t.value("with")
	if o, ok := t.Option("ttl"); ok && (p.TTL < 1 || p.TTL > property.MaxTTL) {
		b.add(o.Pos, RuleProperty, fmt.Sprintf("use 1 to %d seconds", property.MaxTTL), "ttl=%s is not a valid TTL", o.Value)
	}
	o, ok := t.Option("with")
	if !ok {
		return
	}
	for _, why := range checkWith(p.With, t.Has("comment")) {
		b.add(o.Pos, RuleProperty, "write it like with='compaction = {''class'': ''LeveledCompactionStrategy''}'", "with: %s", why)
	}
}

// indexable reports whether a storage-attached index supports the values of a type, or its elements.
func indexable(t *Type) bool {
	n, ok := cqltype.Lookup(t.CQL)
	return t.Kind == Scalar && ok && n.Indexed
}

// index adds a secondary index to an attribute.
func (b *builder) index(at *Attribute, o Option, a *Aggregate) {
	t := at.Type
	if t.collection() && t.Kind != MapType && !at.Final {
		t = t.Elem
	}
	vector, options := t.Kind == Vector && t == at.Type, indexOptions(o.Value)
	switch {
	case at.Type.Kind == List && a.Tag.Has("redundant"):
		b.add(o.Pos, RuleIndex, "index the list of the source", "a list of a redundant table is frozen and cannot have an index")
		return
	case at.Counter, !vector && !indexable(t):
		b.add(o.Pos, RuleIndex, withoutIndex(at), "%s cannot have an index", at.Type)
		return
	case vector && at.Tag.Has("desc"):
		b.add(o.Pos, RuleIndex, "delete desc, or index another column", "a vector in descending order cannot have an index")
		return
	case o.Value != "" && options == nil:
		b.add(o.Pos, RuleIndex, optionsOf(t, at.Key), "index=%s: malformed options", o.Value)
		return
	}
	if why := checkIndexOptions(options, at.Key, t); why != "" {
		b.add(o.Pos, RuleIndex, optionsOf(t, at.Key), "%s: %s", o, why)
		return
	}
	at.Index = &Index{Options: options}
	at.Index.Name = a.Table + "__" + at.Name + "_index"
	b.derived(at, at.Index.Name)
}

// withoutIndex returns what to do about a value that cannot have an index.
func withoutIndex(at *Attribute) string {
	switch t := at.Type; {
	case at.Counter:
		return "delete it: a table of counters cannot have indexes"
	case t.collection() && at.Final && t.Kind != MapType && indexable(t.Elem):
		return "delete final: the elements of a collection that is not frozen can be indexed"
	case t.Kind == MapType:
		return "delete it, and make a redundant aggregate with a row for each entry"
	case t.collection():
		return "delete it, and make a redundant aggregate with a row for each element"
	case t.fields() != nil:
		return "delete it, and make a redundant aggregate whose identifier is the value to look up"
	}
	return "delete it, or use another type for the field: no index supports " + at.Type.String()
}

// optionsOf returns how the options of an index on a value are written.
func optionsOf(t *Type, key bool) string {
	switch {
	case t.Kind == Vector && t.Size == 1:
		return "write index='similarity_function=EUCLIDEAN'"
	case t.Kind == Vector:
		return "write it like index='similarity_function=COSINE'"
	case key:
		return "write only index"
	case t.CQL == "text" || t.CQL == "ascii":
		return "write it like index='case_sensitive=false, normalize=true'"
	}
	return "write only index: an index on " + t.String() + " has no options"
}

// indexOptions reads name=value, name=value; it returns none if the text has another form.
func indexOptions(s string) []IndexOption {
	var out []IndexOption
	for _, p := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(p, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" || strings.ContainsAny(value, "'{}") {
			return nil
		}
		out = append(out, IndexOption{name, value})
	}
	return out
}

// checkIndexOptions returns what is wrong with the options of an index on a value; "" if they are valid.
func checkIndexOptions(options []IndexOption, key bool, t *Type) string {
	given := map[string]string{}
	for _, o := range options {
		if _, twice := given[o.Name]; twice {
			return o.Name + " appears twice"
		}
		given[o.Name] = o.Value
	}
	of := property.Indexed{Key: key, Text: t.Kind == Scalar && (t.CQL == "text" || t.CQL == "ascii")}
	if t.Kind == Vector {
		of.Vector = t.Size
	}
	return of.Judge(given)
}

// checkWith returns what is wrong with the properties of with=, each in a message.
func checkWith(with string, commented bool) []string {
	given := map[string]property.Value{}
	if commented {
		given["comment"] = property.Value{}
	}
	var out []string
	for _, x := range splitWith(with) {
		if why := checkProperty(x, given); why != "" {
			out = append(out, why)
		}
	}
	if f := property.JudgeIntervals(given); f != nil {
		out = append(out, f.What)
	}
	return out
}

// splitWith cuts properties at AND outside quotes and braces.
func splitWith(s string) []string {
	var out []string
	depth, quoted, from := 0, false, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth == 0 && i > 0 && s[i-1] == ' ' && len(s) > i+3 && strings.EqualFold(s[i:i+4], "and "):
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 4
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// ownOption contains the properties that have a separate option.
var ownOption = map[string]string{"default_time_to_live": "ttl=", "gc_grace_seconds": "gc_grace="}

// checkProperty returns what is wrong with one property; "" if it is valid.
func checkProperty(s string, given map[string]property.Value) string {
	name, value, ok := strings.Cut(s, "=")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	_, twice := given[name]
	switch {
	case !ok || value == "" || name == "":
		return fmt.Sprintf("%q is not name = value", s)
	case ownOption[name] != "":
		return name + " must be written with the option " + ownOption[name]
	case property.KindOf(name) == property.Unknown:
		return fmt.Sprintf("%s is not a table property that with= supports", name)
	case twice:
		return name + " appears twice"
	}
	v, problem := valueOf(value, property.KindOf(name))
	given[name] = v
	if problem != "" {
		return fmt.Sprintf("%s cannot be %s: %s", name, value, problem)
	}
	if faults := property.Judge(name, v); faults != nil {
		return faults[0].What
	}
	return ""
}

// valueOf reads a value of a property of a kind; problem is the reason why it is invalid.
func valueOf(s string, k property.Kind) (v property.Value, problem string) {
	switch {
	case k == property.Map:
		v.Entries, problem = mapLiteral(s)
	case isString(s):
		v.Text = unquoted(s)
	case isNumeral.MatchString(s) || property.IsBoolean(s):
		v.Text = s
	default:
		v.Text, problem = s, "it is not a number, a boolean or a quoted text"
	}
	return v, problem
}

// isNumeral matches a number as CQL writes it.
var isNumeral = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// isString reports whether s is one CQL string.
func isString(s string) bool {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(s[1:len(s)-1], "''", ""), "'")
}

// unquoted returns the text of a CQL string.
func unquoted(s string) string { return strings.ReplaceAll(s[1:len(s)-1], "''", "'") }

// mapLiteral reads a CQL map of strings to strings, numbers or booleans; problem is the reason why it is invalid.
func mapLiteral(s string) (entries map[string]string, problem string) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, "it is not a map"
	}
	entries = map[string]string{}
	inner := strings.TrimSpace(s[1 : len(s)-1])
	if inner == "" {
		return entries, ""
	}
	parts, _, err := splitTag(inner)
	if err != nil {
		return nil, err.Error()
	}
	for _, p := range parts {
		key, value, ok := mapEntry(p.text)
		if !ok {
			return nil, fmt.Sprintf("%s is not 'name': 'value'", strings.TrimSpace(p.text))
		}
		if _, twice := entries[key]; twice {
			return nil, key + " appears twice"
		}
		entries[key] = value
	}
	return entries, ""
}

// mapEntry reads 'key': value.
func mapEntry(s string) (key, value string, ok bool) {
	s = strings.TrimSpace(s)
	end := strings.IndexByte(strings.TrimPrefix(s, "'"), '\'') + 1
	if end < 2 || !isString(s[:end+1]) {
		return "", "", false
	}
	value, ok = strings.CutPrefix(strings.TrimSpace(s[end+1:]), ":")
	value = strings.TrimSpace(value)
	switch {
	case !ok:
	case isString(value):
		value = unquoted(value)
	default:
		ok = isNumeral.MatchString(value) || property.IsBoolean(value)
	}
	return s[1:end], value, ok
}
