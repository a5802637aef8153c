package conceptual

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Fault is an error in a diagram.
type Fault struct {
	Pos  model.Pos
	What string // the error and its fix
}

func (f Fault) String() string { return f.Pos.String() + ": " + f.What }

// Diagram is an entity relationship diagram.
type Diagram struct {
	File            string
	Entities        []*Entity
	Relationships   []*Relationship
	Specialisations []*Specialisation
	NAry            []*NAry
}

// Entity is an entity with its attributes.
type Entity struct {
	Pos        model.Pos
	Name       string // the name as written: LINE-ITEM
	Attributes []*Attribute

	declared bool    // it has a block of attributes
	owner    *Entity // a comment makes it a weak entity of this one
	super    *Specialisation
}

// Attribute is an attribute of an entity.
type Attribute struct {
	Pos         model.Pos
	Type        string
	Name        string
	PK, UK, FK  bool
	Multivalued bool
	Parts       []*Attribute // the attributes of a composite one
}

// Cardinality is how often an entity takes part in a relationship, for each row of the other side.
type Cardinality struct{ Min, Many bool }

// Relationship is a relationship of two entities.
type Relationship struct {
	Pos         model.Pos
	Left, Right *Entity
	Of, To      Cardinality // the left entities for each right one, and the right entities for each left one
	Identifying bool
	Label       string
}

// Specialisation divides an entity into subtypes.
type Specialisation struct {
	Pos         model.Pos
	Super       *Entity
	Subtypes    []*Entity
	Total       bool // each entity is of a subtype
	Overlapping bool // an entity can be of several
}

// NAry is a relationship of any number of entities, which has a name and has the attributes of the entity with its name.
type NAry struct {
	Pos  model.Pos
	Name string
	Of   []*Entity
}

// Entity returns the entity with a name, or nil.
func (d *Diagram) Entity(name string) *Entity {
	i := slices.IndexFunc(d.Entities, func(e *Entity) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return d.Entities[i]
}

// attribute returns the attribute with a name, or nil.
func (e *Entity) attribute(name string) *Attribute {
	i := slices.IndexFunc(e.Attributes, func(a *Attribute) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return e.Attributes[i]
}

// key returns the attributes that identify the entity.
func (e *Entity) key() (out []*Attribute) {
	for _, a := range e.Attributes {
		if a.PK {
			out = append(out, a)
		}
	}
	return out
}
