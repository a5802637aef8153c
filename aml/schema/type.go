package schema

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// Type is a CQL type.
type Type struct {
	Name   string  // native type, "list", "set", "map", "tuple", "vector" or the name of a UDT
	Args   []*Type // list, set, map, tuple; vector: the element
	Size   int     // vector
	UDT    bool
	Frozen bool
}

// String returns the type in CQL, as Cassandra's own tables show it.
func (t *Type) String() string {
	s := t.Name
	if t.UDT {
		s = model.Quote(s)
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, a.String())
	}
	if t.Size > 0 {
		args = append(args, fmt.Sprint(t.Size))
	}
	if len(args) > 0 {
		s += "<" + strings.Join(args, ", ") + ">"
	}
	if t.Frozen {
		return "frozen<" + s + ">"
	}
	return s
}

// MultiCell reports whether Cassandra stores each element or field of the value as a separate cell.
func (t *Type) MultiCell() bool { return t.Cells() != projection.Single }

// columnType returns the CQL type of a value; everything inside a collection is frozen.
func columnType(t *model.Type, frozen bool) *Type {
	switch t.Kind {
	case model.List:
		return &Type{Name: "list", Args: []*Type{columnType(t.Elem, true)}, Frozen: frozen}
	case model.Set:
		return &Type{Name: "set", Args: []*Type{columnType(t.Elem, true)}, Frozen: frozen}
	case model.MapType:
		return &Type{Name: "map", Args: []*Type{columnType(t.Key, true), columnType(t.Elem, true)}, Frozen: frozen}
	case model.Composed:
		return &Type{Name: t.Object.UDT, UDT: true, Frozen: frozen || t.Final}
	case model.Tuple:
		out := &Type{Name: "tuple", Frozen: true}
		for _, m := range t.Members {
			out.Args = append(out.Args, columnType(m, true))
		}
		return out
	case model.Vector:
		return &Type{Name: "vector", Args: []*Type{columnType(t.Elem, true)}, Size: t.Size}
	case model.Declared:
		return spelled(t.Spelled, frozen)
	}
	return &Type{Name: t.CQL}
}

// spelled returns the type of type=.
func spelled(t *cqltype.Type, frozen bool) *Type {
	if t.Name == "frozen" {
		return spelled(t.Args[0], true)
	}
	out := &Type{Name: t.Name, Size: t.Size, Frozen: t.Name == "tuple" || frozen && (t.Name == "list" || t.Name == "set" || t.Name == "map")}
	for _, a := range t.Args {
		out.Args = append(out.Args, spelled(a, true))
	}
	return out
}

// Cells returns the way in which Cassandra stores the value in cells.
func (t *Type) Cells() projection.Cells {
	switch {
	case t.Frozen:
		return projection.Single
	case t.UDT:
		return projection.UDT
	}
	return collections[t.Name]
}

var collections = map[string]projection.Cells{"list": projection.List, "set": projection.Set, "map": projection.Map}

// Counter reports whether the type is CQL's counter, not a user-defined type with that name.
func (t *Type) Counter() bool { return t.Name == "counter" && !t.UDT }
