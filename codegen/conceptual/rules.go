package conceptual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/aml/model"
)

// place is where the rows of an entity are.
type place int

// The places.
const (
	root    place = iota // a table of its own
	part                 // rows in the partition of a root
	element              // elements of a collection of another struct
	single               // a field of another struct
	subtype              // an alternative of its supertype
	pairs                // a table of references of both sides
)

// few is the number of attributes up to which an entity counts as small.
const few = 8

// designer decides where each entity is stored, and writes the structs.
type designer struct {
	d       *Diagram
	reads   *Reads
	faults  []Fault
	places  map[*Entity]place
	owners  map[*Entity]*Entity
	why     map[*Entity]string        // the decision, as a comment
	via     map[*Entity]*Relationship // the relationship by which it is stored with its owner
	used    map[*Relationship]bool    // relationships that need no reference
	structs map[*Entity]*structure
	all     []*structure
	fks     map[*Attribute]bool            // the attributes that a reference or an owner replaces
	fkOf    map[*Relationship][]*Attribute // the attributes for the fields of a reference
	named   map[string]bool                // the structs
	tables  map[string]bool
}

// Model returns the Go source of a first model. pkg is the name of its package; reads can be nil.
func (d *Diagram) Model(pkg string, reads *Reads) ([]byte, []Fault, error) {
	g := &designer{
		d: d, reads: reads, places: map[*Entity]place{}, owners: map[*Entity]*Entity{}, why: map[*Entity]string{}, via: map[*Entity]*Relationship{},
		used: map[*Relationship]bool{}, structs: map[*Entity]*structure{}, fks: map[*Attribute]bool{}, fkOf: map[*Relationship][]*Attribute{}, named: map[string]bool{}, tables: map[string]bool{},
	}
	g.place()
	g.checkNames()
	if g.faults != nil {
		return nil, g.faults, nil
	}
	g.write()
	if g.faults != nil {
		slices.SortStableFunc(g.faults, func(a, b Fault) int { return a.Pos.Line - b.Pos.Line })
		return nil, g.faults, nil
	}
	text, err := source(pkg, d.File, g.all)
	return text, nil, err
}

// checkNames reports names of tables and types that are not ASCII: Cassandra refuses such a table, and drivers cannot read such a type.
func (g *designer) checkNames() {
	check := func(at model.Pos, what, name string) {
		if strings.ContainsFunc(goName(name), func(r rune) bool { return r > unicode.MaxASCII }) {
			g.faults = append(g.faults, Fault{at, fmt.Sprintf("%s %s needs a name of ASCII letters, digits and _, because a table or a type has it", what, name)})
		}
	}
	for _, e := range g.d.Entities {
		check(e.Pos, "the entity", e.Name)
		for _, a := range e.Attributes {
			if a.Parts != nil {
				check(a.Pos, "the composite attribute", a.Name)
			}
		}
	}
	for _, n := range g.d.NAry {
		check(n.Pos, "the relationship", n.Name)
	}
}

func (g *designer) fault(e *Entity, form string, args ...any) {
	g.faults = append(g.faults, Fault{e.Pos, fmt.Sprintf(form, args...)})
}

// oneToMany returns the sides of a relationship in which one entity has many others; ok is false for the other relationships.
func (r *Relationship) oneToMany() (one, many *Entity, ok bool) {
	switch {
	case !r.Of.Many && r.To.Many:
		return r.Left, r.Right, true
	case r.Of.Many && !r.To.Many:
		return r.Right, r.Left, true
	}
	return nil, nil, false
}

// ofMany returns the cardinality of the one side for each entity of the many side.
func (r *Relationship) ofMany() Cardinality {
	if r.To.Many {
		return r.Of
	}
	return r.To
}

// countOthers returns how many relationships an entity has, except one.
func (g *designer) countOthers(e *Entity, except *Relationship) (n int) {
	for _, r := range g.d.Relationships {
		if r != except && (r.Left == e || r.Right == e) {
			n++
		}
	}
	for _, x := range g.d.NAry {
		if slices.Contains(x.Of, e) {
			n++
		}
	}
	return n
}

// base returns the entity whose row has an entity: the supertype of a subtype.
func (g *designer) base(e *Entity) *Entity {
	for seen := 0; e.super != nil && seen < len(g.d.Entities); seen++ {
		e = e.super.Super
	}
	return e
}

// identifying returns the relationships that identify an entity by exactly one other.
func (g *designer) identifying(e *Entity) (out []*Relationship) {
	for _, r := range g.d.Relationships {
		if one, many, ok := r.oneToMany(); ok && many == e && one != e && r.Identifying && r.ofMany().Min {
			out = append(out, r)
		}
	}
	return out
}

// place decides where each entity is.
func (g *designer) place() {
	for _, e := range g.d.Entities {
		g.placeEntity(e)
	}
	g.placeSingles()
	for _, e := range g.d.Entities {
		seen := map[*Entity]bool{}
		for at := e; g.owners[at] != nil; at = g.base(g.owners[at]) {
			if seen[at] {
				g.fault(e, "%s is stored with %s, which is stored with it: make one of them independent", e.Name, g.owners[e].Name)
				return
			}
			seen[at] = true
		}
	}
	for _, e := range g.d.Entities {
		g.placeOwned(e)
	}
}

func (g *designer) placeEntity(e *Entity) {
	switch owners := g.identifying(e); {
	case e.super != nil:
		g.places[e] = subtype
	case slices.ContainsFunc(g.d.NAry, func(n *NAry) bool { return n.Name == e.Name }):
		g.places[e] = pairs
	case e.owner != nil:
		g.own(e, e.owner, g.relationship(e, e.owner), "weak entity")
	case len(owners) > 1:
		g.places[e] = pairs
	case len(owners) == 1 && (g.readAlone(e) || g.isReferred(e, owners[0])):
		g.placeMany(e)
	case len(owners) == 1:
		one, _, _ := owners[0].oneToMany()
		g.own(e, one, owners[0], "identified by "+one.Name)
	default:
		g.placeMany(e)
	}
}

// isReferred reports whether others refer to an entity that has a key: only roots can be referred to.
func (g *designer) isReferred(e *Entity, except *Relationship) bool {
	return len(e.key()) > 0 && slices.ContainsFunc(g.d.Relationships, func(r *Relationship) bool {
		holder, to := g.sides(r)
		return r != except && to == e && holder != e && holder.owner != e && !slices.Contains(g.identifying(holder), r) && !g.storable(holder, r)
	})
}

// storable reports whether the many side of a relationship can be stored with the one side: each has one, is small and has no other relationships.
func (g *designer) storable(many *Entity, r *Relationship) bool {
	one, of, ok := r.oneToMany()
	return ok && of == many && one != many && r.ofMany().Min && g.countOthers(many, r) == 0 && len(many.Attributes) <= few
}

// readAlone reports whether the workload reads an entity that has a key without the entity to which it belongs.
func (g *designer) readAlone(e *Entity) bool {
	return g.reads != nil && g.reads.Alone[e] > 0 && len(e.key()) > 0
}

// relationship returns the relationship of two entities, or nil.
func (g *designer) relationship(a, b *Entity) *Relationship {
	for _, r := range g.d.Relationships {
		if r.Left == a && r.Right == b || r.Left == b && r.Right == a {
			return r
		}
	}
	return nil
}

// own stores an entity with its owner; placeOwned decides how.
func (g *designer) own(e, owner *Entity, by *Relationship, why string) {
	g.owners[e], g.via[e], g.why[e] = owner, by, why
	if by != nil {
		g.used[by] = true
	}
}

// readTogether reports whether the workload reads the many side of a relationship only by the key of the one side, which each has. Others do not refer to it.
func (g *designer) readTogether(many *Entity, r *Relationship) bool {
	one, of, ok := r.oneToMany()
	if !ok || of != many || one == many || g.reads == nil || !r.ofMany().Min || len(many.key()) == 0 || g.isReferred(many, r) {
		return false
	}
	return !slices.ContainsFunc(g.d.Entities, func(o *Entity) bool { return g.reads.With[[2]*Entity{many, o}] != (o == one) })
}

// placeMany stores the many side of a 1:N relationship with the one side if the workload reads both together, or if it is small, has no other
// relationships and is not read alone.
func (g *designer) placeMany(e *Entity) {
	for _, r := range g.d.Relationships {
		together := g.readTogether(e, r)
		if !together && !g.storable(e, r) || g.readAlone(e) {
			continue
		}
		one, _, _ := r.oneToMany()
		why := "1:N, and it has no other relationship and is small"
		switch {
		case together:
			why = "1:N, and the workload reads it by the key of " + one.Name
		case g.reads != nil:
			why = "1:N, and the workload does not read it alone"
		}
		g.own(e, one, r, why)
		return
	}
}

// placeSingles stores a side of a 1:1 relationship in the other one.
func (g *designer) placeSingles() {
	for _, r := range g.d.Relationships {
		if r.Of.Many || r.To.Many || g.used[r] {
			continue
		}
		dependent, other := r.dependent()
		_, placed := g.places[dependent]
		if placed || g.owners[dependent] != nil || g.countOthers(dependent, r) > 0 || !r.total() {
			continue
		}
		g.owners[dependent], g.via[dependent], g.places[dependent], g.used[r] = other, r, single, true
		g.why[dependent] = "1:1, and each has its " + other.Name
	}
}

// dependent returns the side of a 1:1 relationship that always has the other one, or the right one.
func (r *Relationship) dependent() (dependent, other *Entity) {
	if r.To.Min && !r.Of.Min {
		return r.Left, r.Right
	}
	return r.Right, r.Left
}

// total reports whether one side of a 1:1 relationship always has the other one.
func (r *Relationship) total() bool { return r.Of.Min || r.To.Min }

// placeOwned makes an entity with an owner a part of it or an element in it. Only roots have parts, and a part has a key of its own.
func (g *designer) placeOwned(e *Entity) {
	if _, placed := g.places[e]; placed {
		return
	}
	owner := g.owners[e]
	if owner == nil {
		g.places[e] = root
		if len(e.key()) == 0 {
			g.fault(e, "%s has no key: mark the attributes that identify it with PK, or write %%%% aml: weak %s of …", e.Name, e.Name)
		}
		return
	}
	small := len(e.Attributes) <= few && g.countOthers(e, g.via[e]) == 0
	of := g.base(owner)
	if g.owners[of] == nil && g.places[of] != pairs && len(e.key()) > 0 && !small && !(g.versioned(of) && g.hasPart(of)) {
		g.places[e] = part
		return
	}
	g.places[e] = element
}

// hasPart reports whether an entity has a part already. A versioned root has one at most in its table.
func (g *designer) hasPart(e *Entity) bool {
	return slices.ContainsFunc(g.d.Entities, func(p *Entity) bool { return g.places[p] == part && g.base(g.owners[p]) == e })
}

// versioned reports whether the root of an entity needs a version: for a unique value, or for a redundant table whose rows can move.
func (g *designer) versioned(e *Entity) bool {
	if slices.ContainsFunc(e.Attributes, func(a *Attribute) bool { return a.UK && !a.PK }) {
		return true
	}
	for _, r := range g.d.Relationships {
		if g.used[r] {
			continue
		}
		if one, many, ok := r.oneToMany(); ok && many == e && one != nil {
			return true
		}
		if dependent, _ := r.dependent(); !r.Of.Many && !r.To.Many && dependent == e {
			return true
		}
	}
	return false
}

// sides returns the entity that has the references of a relationship, and the entity to which it refers.
func (g *designer) sides(r *Relationship) (holder, to *Entity) {
	if one, many, ok := r.oneToMany(); ok {
		return many, one
	}
	if r.Of.Many {
		holder, to, _ = g.readMore(r)
		return holder, to
	}
	return r.dependent()
}

// readMore returns the side of an N:M relationship that the workload reads more; the left one without a workload.
func (g *designer) readMore(r *Relationship) (more, other *Entity, why string) {
	if g.reads == nil {
		return r.Left, r.Right, "no workload is given, so the first side has the references"
	}
	left, right := g.reads.Total[r.Left], g.reads.Total[r.Right]
	why = fmt.Sprintf("the workload reads %s %g times in a second, and %s %g times", r.Left.Name, left, r.Right.Name, right)
	if cmp.Compare(right, left) > 0 {
		return r.Right, r.Left, why
	}
	return r.Left, r.Right, why
}
