package alternatives

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// Operation is an operation of a relationship, the same for all designs.
type Operation string

// The operations.
const (
	ReadByRoot    Operation = "read by root"    // a root with its elements
	ReadByElement Operation = "read by element" // an element with its root, or with its roots
	Insert        Operation = "insert"          // a root with its elements
	Add           Operation = "add"             // one element to a root
	Change        Operation = "change"          // a field of one element
	Move          Operation = "move"            // one element from a root to another
	Rename        Operation = "rename"          // a field of the root
	Delete        Operation = "delete"          // a root with its elements
)

// Operations returns the operations in their order.
func Operations() []Operation {
	return []Operation{ReadByRoot, ReadByElement, Insert, Add, Change, Move, Rename, Delete}
}

// Effect is the effect of a call on the elements of a root.
type Effect int

// The effects.
const (
	Reading   Effect = iota // nothing is written
	Inserting               // all elements are new
	Adding                  // one element is new
	Changing                // one element has another value
	Removing                // one element is removed
	Renaming                // a field outside the elements has another value
	Deleting                // all elements are removed
)

// Call is one call of a method of the store.
type Call struct {
	Of     string // the struct of the aggregate
	Method string // Insert; Set and Elements are Update if the store has no such method for the field
	Field  string // the field that the call changes; "" for none
	Effect Effect
	Each   bool // one call for each element
	Rows   bool // it reads the rows of all elements

	references int  // the checked references that the save adds or drops; elements: one for each element
	released   bool // another root had the unique value that the save adds
	pending    bool // the save before it of the same root has dropped rows of copies
}

// elements is a number of the elements of a root.
const elements = -1

// plan has the calls of each operation, or the reason why there are none.
type plan struct {
	calls   map[Operation][]Call
	refused map[Operation]string
}

func newPlan() plan {
	return plan{map[Operation][]Call{}, map[Operation]string{}}
}

func (p plan) set(o Operation, calls ...Call) { p.calls[o] = calls }

// refuse refuses an operation.
func (p plan) refuse(o Operation, format string, args ...any) {
	delete(p.calls, o)
	p.refused[o] = fmt.Sprintf(format, args...)
}

// rename plans the change of a field of the root.
func (d *draft) rename(p plan) {
	if f := d.Root.Changed(); f != nil {
		p.set(Rename, Call{Of: d.Root.Struct, Method: "Set", Field: f.Name, Effect: Renaming})
		return
	}
	p.refuse(Rename, "%s has no field of one value outside its key", d.Root.Struct)
}

// changeElement plans the change of a field of an element that is a root.
func (d *draft) changeElement(p plan) {
	if f := d.Element.Changed(); f != nil {
		p.set(Change, Call{Of: d.Element.Struct, Method: "Set", Field: f.Name, Effect: Renaming})
		return
	}
	p.refuse(Change, "%s has no field of one value outside its key", d.Element.Struct)
}

func (d *draft) embeddedCalls(copy string) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	collection, _ := d.collection()
	write := func(e Effect) Call { return Call{Of: c, Method: "Elements", Field: collection, Effect: e} }
	p.set(ReadByRoot, Call{Of: c, Method: "Get"})
	byKey, _ := d.byKey()
	switch copy {
	case "total":
		p.set(ReadByElement, Call{Of: byKey, Method: "Get"})
	case "partial":
		p.refuse(ReadByElement, "the table of each %s has no %s; without it, Get reads 1 row", v, c)
	default:
		p.refuse(ReadByElement, "no table has the key of %s: only a scan of all roots finds one", v)
	}
	p.set(Insert, Call{Of: c, Method: "Insert", Effect: Inserting})
	p.set(Add, write(Adding))
	if d.Element.Changed() == nil {
		p.refuse(Change, "%s has no field of one value outside its key", v)
	} else {
		p.set(Change, write(Changing))
	}
	moved := write(Adding)
	moved.released = true
	p.set(Move, write(Removing), moved)
	d.rename(p)
	p.set(Delete, Call{Of: c, Method: "Delete", Effect: Deleting})
	return p
}

func (d *draft) inverseCalls(shared bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	none := fmt.Sprintf("no table finds the elements of %s", article.With(c))
	p.refuse(ReadByRoot, "%s", none)
	p.set(ReadByElement, Call{Of: v, Method: "Get"})
	p.set(Insert, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true})
	p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting})
	d.changeElement(p)
	p.set(Move, Call{Of: v, Method: "Set", Field: c, Effect: Renaming})
	p.refuse(Rename, "%s, so the application must know their keys; each is one change of the field %s", none, c)
	p.refuse(Delete, "%s, so the application must know their keys; each is one Delete", none)
	return p
}

// copiedCalls plans the operations of two roots of which the second has copies of the fields of the first.
func (d *draft) copiedCalls() plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	none := fmt.Sprintf("no table finds the elements of %s", article.With(c))
	p.refuse(ReadByRoot, "%s", none)
	p.set(ReadByElement, Call{Of: v, Method: "Get"})
	p.set(Insert, Call{Of: c, Method: "Insert", Effect: Inserting}, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true, references: 1})
	p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting, references: 1})
	d.changeElement(p)
	p.set(Move, Call{Of: v, Method: "Set", Field: c, Effect: Renaming, references: 1})
	d.rename(p)
	p.refuse(Delete, "%s, so the application must know their keys: it deletes them first", none)
	return p
}

// rootReferenceCalls plans the operations of two roots of which the first has the keys of the second.
func (d *draft) rootReferenceCalls(list bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	references := d.Element.referencesName()
	write := func(e Effect) Call {
		return Call{Of: c, Method: "Elements", Field: references, Effect: e, references: 1}
	}
	p.set(ReadByRoot, Call{Of: c, Method: "Get"}, Call{Of: v, Method: "Get", Each: true})
	if list {
		p.set(ReadByElement, Call{Of: v, Method: "Get"}, Call{Of: listName(d.Root, d.Element), Method: "Of"}, Call{Of: c, Method: "Get"})
	} else {
		p.refuse(ReadByElement, "no table finds the %s of %s: only a scan of all roots does", c, article.With(v))
	}
	p.set(Insert, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true}, Call{Of: c, Method: "Insert", Effect: Inserting, references: elements})
	p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting}, write(Adding))
	d.changeElement(p)
	p.set(Move, write(Removing), write(Adding))
	d.rename(p)
	p.set(Delete, Call{Of: c, Method: "Delete", Effect: Deleting, references: elements}, Call{Of: v, Method: "Delete", Effect: Deleting, Each: true})
	return p
}

// elementReferenceCalls plans the operations of two roots of which the second has the key of the first.
func (d *draft) elementReferenceCalls(table bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	none := fmt.Sprintf("no table finds the elements of %s: add a redundant table or an index", article.With(c))
	list := Call{Of: listName(d.Element, d.Root), Method: "Of", Rows: true}
	if table {
		p.set(ReadByRoot, Call{Of: c, Method: "Get"}, list)
		p.set(Delete, list, Call{Of: v, Method: "Delete", Effect: Deleting, Each: true, references: 1}, Call{Of: c, Method: "Delete", Effect: Deleting})
	} else {
		p.refuse(ReadByRoot, "%s", none)
		p.refuse(Delete, "%s", none)
	}
	p.set(ReadByElement, Call{Of: v, Method: "Get"}, Call{Of: c, Method: "Get"})
	p.set(Insert, Call{Of: c, Method: "Insert", Effect: Inserting}, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true, references: 1})
	p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting, references: 1})
	d.changeElement(p)
	name, _ := d.Root.referenceName(&d.Root.Key[0])
	p.set(Move, Call{Of: v, Method: "Set", Field: name, Effect: Renaming, references: 1})
	d.rename(p)
	return p
}

// elementListCalls plans the operations of two roots of which the second has the keys of several of the first.
func (d *draft) elementListCalls() plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	references := d.Root.referencesName()
	list := Call{Of: listName(d.Element, d.Root), Method: "Of", Rows: true}
	p.set(ReadByRoot, Call{Of: c, Method: "Get"}, list, Call{Of: v, Method: "Get", Each: true})
	p.set(ReadByElement, Call{Of: v, Method: "Get"}, Call{Of: c, Method: "Get"})
	p.set(Insert, Call{Of: c, Method: "Insert", Effect: Inserting}, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true, references: 1})
	p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting, references: 1})
	d.changeElement(p)
	p.set(Move, Call{Of: v, Method: "Elements", Field: references, Effect: Removing, references: 1},
		Call{Of: v, Method: "Elements", Field: references, Effect: Adding, references: 1, pending: true})
	d.rename(p)
	p.set(Delete, list, Call{Of: v, Method: "Delete", Effect: Deleting, Each: true, references: 1}, Call{Of: c, Method: "Delete", Effect: Deleting})
	return p
}

func (d *draft) bothCalls() plan {
	p := d.rootReferenceCalls(false)
	c, v := d.Root.Struct, d.Element.Struct
	references := d.Root.referencesName()
	p.set(ReadByElement, Call{Of: v, Method: "Get"}, Call{Of: c, Method: "Get"})
	delete(p.refused, ReadByElement)
	first := Call{Of: c, Method: "Insert", Effect: Inserting}
	back := Call{Of: v, Method: "Insert", Effect: Inserting, Each: true, references: 1}
	if d.versioned { // a reference to a root that does not exist yet is refused
		p.refuse(Insert, "neither side can be inserted with checked references to the other, which does not exist yet: insert one without them, and add them afterwards")
	} else {
		first.references = elements
		p.set(Insert, first, back)
	}
	add := p.calls[Add]
	add[0].references = 1
	p.set(Add, add...)
	p.set(Move, append(p.calls[Move], Call{Of: v, Method: "Elements", Field: references, Effect: Removing, references: 1},
		Call{Of: v, Method: "Elements", Field: references, Effect: Adding, references: 1, pending: true})...)
	if d.versioned {
		p.refuse(Delete, "neither side can be deleted while the other refers to it: remove the references of one side first")
	}
	return p
}

func (d *draft) pairCalls(unique bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	byRoot, byElement := d.pairNames()
	source := byRoot
	toRoot := Call{Of: byElement, Method: "Of"}
	if unique {
		source, toRoot = byElement, Call{Of: byElement, Method: "Get"}
	}
	p.set(ReadByRoot, Call{Of: c, Method: "Get"}, Call{Of: byRoot, Method: "Of", Rows: true}, Call{Of: v, Method: "Get", Each: true})
	p.set(ReadByElement, Call{Of: v, Method: "Get"}, toRoot, Call{Of: c, Method: "Get"})
	pair := Call{Of: source, Method: "Insert", Effect: Inserting, references: 1}
	pairs := pair
	pairs.Each = true
	p.set(Insert, Call{Of: c, Method: "Insert", Effect: Inserting}, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true}, pairs)
	p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting}, pair)
	d.changeElement(p)
	remove := Call{Of: source, Method: "Delete", Effect: Deleting, references: 1}
	if unique {
		name, _ := d.Root.referenceName(&d.Root.Key[0])
		p.set(Move, Call{Of: source, Method: "Set", Field: name, Effect: Renaming, references: 1})
	} else {
		p.set(Move, remove, pair)
	}
	d.rename(p)
	remove.Each = true
	p.set(Delete, Call{Of: byRoot, Method: "Of", Rows: true}, remove, Call{Of: v, Method: "Delete", Effect: Deleting, Each: true}, Call{Of: c, Method: "Delete", Effect: Deleting})
	return p
}

func (d *draft) partCalls() plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	p.set(ReadByRoot, Call{Of: c, Method: "GetWith", Rows: true})
	p.refuse(ReadByElement, "the key of %s begins with the key of its %s: a redundant table by the key of %s finds it", article.With(v), c, v)
	if d.versionedRoot() {
		part := func(e Effect) Call { return Call{Of: c, Method: "Update", Effect: e} }
		p.set(Insert, Call{Of: c, Method: "InsertWith", Effect: Inserting})
		p.set(Add, part(Adding))
		p.set(Move, part(Removing), part(Adding))
		if d.Element.Changed() != nil {
			p.set(Change, part(Changing))
		}
	} else {
		p.set(Insert, Call{Of: c, Method: "Insert", Effect: Inserting}, Call{Of: v, Method: "Insert", Effect: Inserting, Each: true})
		p.set(Add, Call{Of: v, Method: "Insert", Effect: Inserting})
		p.set(Move, Call{Of: v, Method: "Delete", Effect: Deleting}, Call{Of: v, Method: "Insert", Effect: Inserting})
		if f := d.Element.Changed(); f != nil {
			p.set(Change, Call{Of: v, Method: "Set", Field: f.Name, Effect: Renaming})
		}
	}
	if d.Element.Changed() == nil {
		p.refuse(Change, "%s has no field of one value outside its key", v)
	}
	d.rename(p)
	p.set(Delete, Call{Of: c, Method: "Delete", Effect: Deleting})
	return p
}

// sample is the number of elements of a root in the table of costs: max= of the collection, or the default of aml estimate.
func (r *Relationship) sample() int {
	if r.Max > 0 {
		return r.Max
	}
	return model.DefaultElements
}
