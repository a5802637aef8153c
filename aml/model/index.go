package model

import (
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model/property"
)

// indexable reports whether a storage-attached index supports the values of a type, or its elements.
func indexable(t *Type) bool {
	n, ok := cqltype.Lookup(t.CQL)
	return t.Kind == Scalar && ok && n.Indexed
}

// index adds a secondary index to an attribute.
func (r *optionReader) index(at *Attribute, o Option, a *Aggregate) {
	t := at.Type
	if t.collection() && t.Kind != MapType && !at.Final {
		t = t.Elem
	}
	vector, options := t.Kind == Vector && t == at.Type, indexOptions(o.Value)
	switch {
	case at.Type.Kind == List && a.Tag.Has("redundant"):
		r.add(o.Pos, RuleIndex, "index the list of the source", "a list of a redundant table is frozen and cannot have an index")
		return
	case at.Counter, !vector && !indexable(t):
		r.add(o.Pos, RuleIndex, withoutIndex(at), "%s cannot have an index", at.Type)
		return
	case vector && at.Tag.Has("desc"):
		r.add(o.Pos, RuleIndex, "delete desc, or index another column", "a vector in descending order cannot have an index")
		return
	case o.Value != "" && options == nil:
		r.add(o.Pos, RuleIndex, optionSyntax(t, at.Key), "index=%s: malformed options", o.Value)
		return
	}
	if why := checkIndexOptions(options, at.Key, t); why != "" {
		r.add(o.Pos, RuleIndex, optionSyntax(t, at.Key), "%s: %s", o, why)
		return
	}
	at.Index = &Index{Options: options}
	at.Index.Name = a.Table + "__" + at.Name + "_index"
	checkDerived(r.faults, at, at.Index.Name)
}

// withoutIndex returns the fix for a value that cannot have an index.
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

// optionSyntax returns how the options of an index on a value are written.
func optionSyntax(t *Type, key bool) string {
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

// checkIndexOptions returns the reason why the options of an index on a value are invalid; "" if they are valid.
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
	return of.Check(given)
}
