package alternatives

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
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

// effect is the effect of a call on the elements of a root.
type effect int

const (
	reading   effect = iota // nothing is written
	inserting               // all elements are new
	adding                  // one element is new
	changing                // one element has another value
	removing                // one element is removed
	renaming                // a field outside the elements has another value
	deleting                // all elements are removed
)

// call is one call of a method of the store.
type call struct {
	of     string // the struct of the aggregate
	method string // Insert; for set and elementwise it depends on the model
	field  string // the field that the call changes; "" for none
	effect effect
	each   bool // one call for each element
	rows   bool // it reads the rows of all elements
	added  int  // the references that the save adds; elements: one for each element
}

// elements is a number of the elements of a root.
const elements = -1

// plan has the calls of each operation, or the reason why there are none.
type plan struct {
	calls   map[Operation][]call
	refused map[Operation]string
}

func newPlan() plan {
	return plan{map[Operation][]call{}, map[Operation]string{}}
}

func (p plan) set(o Operation, calls ...call) { p.calls[o] = calls }

// refuse refuses an operation.
func (p plan) refuse(o Operation, format string, args ...any) {
	delete(p.calls, o)
	p.refused[o] = fmt.Sprintf(format, args...)
}

// rename plans the change of a field of the root.
func (d *draft) rename(p plan) {
	if f := d.Root.changed(); f != nil {
		p.set(Rename, call{of: d.Root.Struct, method: "Set", field: f.Name, effect: renaming})
		return
	}
	p.refuse(Rename, "%s has no field of one value outside its key", d.Root.Struct)
}

// changeElement plans the change of a field of an element that is a root.
func (d *draft) changeElement(p plan) {
	if f := d.Element.changed(); f != nil {
		p.set(Change, call{of: d.Element.Struct, method: "Set", field: f.Name, effect: renaming})
		return
	}
	p.refuse(Change, "%s has no field of one value outside its key", d.Element.Struct)
}

func (d *draft) embeddedCalls(copy string) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	collection, _ := d.collection()
	write := func(e effect) call { return call{of: c, method: "Elements", field: collection, effect: e} }
	p.set(ReadByRoot, call{of: c, method: "Get"})
	byKey, _ := d.byKey()
	switch copy {
	case "total":
		p.set(ReadByElement, call{of: byKey, method: "Get"})
	case "partial":
		p.refuse(ReadByElement, "the table of each %s has no %s; without it, Get reads 1 row", v, c)
	default:
		p.refuse(ReadByElement, "no table has the key of %s: only a scan of all roots finds one", v)
	}
	p.set(Insert, call{of: c, method: "Insert", effect: inserting, added: 0})
	p.set(Add, write(adding))
	if d.Element.changed() == nil {
		p.refuse(Change, "%s has no field of one value outside its key", v)
	} else {
		p.set(Change, write(changing))
	}
	p.set(Move, write(removing), write(adding))
	d.rename(p)
	p.set(Delete, call{of: c, method: "Delete", effect: deleting})
	return p
}

func (d *draft) inverseCalls(shared bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	none := fmt.Sprintf("no table finds the elements of a %s", c)
	p.refuse(ReadByRoot, "%s", none)
	p.set(ReadByElement, call{of: v, method: "Get"})
	p.set(Insert, call{of: v, method: "Insert", effect: inserting, each: true})
	p.set(Add, call{of: v, method: "Insert", effect: inserting})
	d.changeElement(p)
	p.set(Move, call{of: v, method: "Set", field: c, effect: renaming})
	p.refuse(Rename, "%s, so the application must know their keys; each is one change of the field %s", none, c)
	p.refuse(Delete, "%s, so the application must know their keys; each is one Delete", none)
	return p
}

func (d *draft) copiedCalls() plan {
	p := newPlan()
	for _, o := range Operations() {
		p.refuse(o, "no store executes copies of changing fields yet")
	}
	return p
}

// rootReferenceCalls plans the operations of two roots of which the first has the keys of the second.
func (d *draft) rootReferenceCalls(list bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	name, _ := d.Element.referenceName(d.Element.single())
	references := plural(name)
	write := func(e effect) call {
		w := call{of: c, method: "Elements", field: references, effect: e}
		if e == adding {
			w.added = 1
		}
		return w
	}
	p.set(ReadByRoot, call{of: c, method: "Get"}, call{of: v, method: "Get", each: true})
	if list {
		p.set(ReadByElement, call{of: v, method: "Get"}, call{of: listName(d.Root, d.Element), method: "Of"}, call{of: c, method: "Get"})
	} else {
		p.refuse(ReadByElement, "no table finds the %s of a %s: only a scan of all roots does", c, v)
	}
	p.set(Insert, call{of: v, method: "Insert", effect: inserting, each: true}, call{of: c, method: "Insert", effect: inserting, added: elements})
	p.set(Add, call{of: v, method: "Insert", effect: inserting}, write(adding))
	d.changeElement(p)
	p.set(Move, write(removing), write(adding))
	d.rename(p)
	p.set(Delete, call{of: c, method: "Delete", effect: deleting}, call{of: v, method: "Delete", effect: deleting, each: true})
	return p
}

// elementReferenceCalls plans the operations of two roots of which the second has the key of the first.
func (d *draft) elementReferenceCalls(table bool) plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	none := fmt.Sprintf("no table finds the elements of a %s: add a redundant table or an index", c)
	list := call{of: listName(d.Element, d.Root), method: "Of", rows: true}
	if table {
		p.set(ReadByRoot, call{of: c, method: "Get"}, list)
		p.set(Delete, list, call{of: v, method: "Delete", effect: deleting, each: true}, call{of: c, method: "Delete", effect: deleting})
	} else {
		p.refuse(ReadByRoot, "%s", none)
		p.refuse(Delete, "%s", none)
	}
	p.set(ReadByElement, call{of: v, method: "Get"}, call{of: c, method: "Get"})
	p.set(Insert, call{of: c, method: "Insert", effect: inserting}, call{of: v, method: "Insert", effect: inserting, each: true, added: 1})
	p.set(Add, call{of: v, method: "Insert", effect: inserting, added: 1})
	d.changeElement(p)
	name, _ := d.Root.referenceName(&d.Root.Key[0])
	p.set(Move, call{of: v, method: "Set", field: name, effect: renaming, added: 1})
	d.rename(p)
	return p
}

// elementListCalls plans the operations of two roots of which the second has the keys of several of the first.
func (d *draft) elementListCalls() plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	name, _ := d.Root.referenceName(d.Root.single())
	references := plural(name)
	list := call{of: listName(d.Element, d.Root), method: "Of", rows: true}
	p.set(ReadByRoot, call{of: c, method: "Get"}, list, call{of: v, method: "Get", each: true})
	p.set(ReadByElement, call{of: v, method: "Get"}, call{of: c, method: "Get"})
	p.set(Insert, call{of: c, method: "Insert", effect: inserting}, call{of: v, method: "Insert", effect: inserting, each: true, added: 1})
	p.set(Add, call{of: v, method: "Insert", effect: inserting, added: 1})
	d.changeElement(p)
	p.set(Move, call{of: v, method: "Elements", field: references, effect: removing}, call{of: v, method: "Elements", field: references, effect: adding, added: 1})
	d.rename(p)
	p.set(Delete, list, call{of: v, method: "Delete", effect: deleting, each: true}, call{of: c, method: "Delete", effect: deleting})
	return p
}

func (d *draft) bothCalls() plan {
	p := d.rootReferenceCalls(false)
	c, v := d.Root.Struct, d.Element.Struct
	name, _ := d.Root.referenceName(d.Root.single())
	references := plural(name)
	p.set(ReadByElement, call{of: v, method: "Get"}, call{of: c, method: "Get"})
	delete(p.refused, ReadByElement)
	first := call{of: c, method: "Insert", effect: inserting}
	back := call{of: v, method: "Insert", effect: inserting, each: true, added: 1}
	if d.versioned { // a reference to a root that does not exist yet is refused
		p.refuse(Insert, "neither side can be inserted with checked references to the other, which does not exist yet: insert one without them, and add them afterwards")
	} else {
		first.added = elements
		p.set(Insert, first, back)
	}
	add := p.calls[Add]
	add[0].added = 1
	p.set(Add, add...)
	p.set(Move, append(p.calls[Move], call{of: v, method: "Elements", field: references, effect: removing}, call{of: v, method: "Elements", field: references, effect: adding, added: 1})...)
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
	toRoot := call{of: byElement, method: "Of"}
	if unique {
		source, toRoot = byElement, call{of: byElement, method: "Get"}
	}
	p.set(ReadByRoot, call{of: c, method: "Get"}, call{of: byRoot, method: "Of", rows: true}, call{of: v, method: "Get", each: true})
	p.set(ReadByElement, call{of: v, method: "Get"}, toRoot, call{of: c, method: "Get"})
	pair := call{of: source, method: "Insert", effect: inserting, added: 1}
	pairs := pair
	pairs.each = true
	p.set(Insert, call{of: c, method: "Insert", effect: inserting}, call{of: v, method: "Insert", effect: inserting, each: true}, pairs)
	p.set(Add, call{of: v, method: "Insert", effect: inserting}, pair)
	d.changeElement(p)
	remove := call{of: source, method: "Delete", effect: deleting}
	if unique {
		name, _ := d.Root.referenceName(&d.Root.Key[0])
		p.set(Move, call{of: source, method: "Set", field: name, effect: renaming, added: 1})
	} else {
		p.set(Move, remove, pair)
	}
	d.rename(p)
	remove.each = true
	p.set(Delete, call{of: byRoot, method: "Of", rows: true}, remove, call{of: v, method: "Delete", effect: deleting, each: true}, call{of: c, method: "Delete", effect: deleting})
	return p
}

func (d *draft) partCalls() plan {
	p := newPlan()
	c, v := d.Root.Struct, d.Element.Struct
	p.set(ReadByRoot, call{of: c, method: "GetWith", rows: true})
	p.refuse(ReadByElement, "the key of a %s begins with the key of its %s: a redundant table by the key of %s finds it", v, c, v)
	if d.versioned {
		part := func(e effect) call { return call{of: c, method: "Update", effect: e} }
		p.set(Insert, call{of: c, method: "InsertWith", effect: inserting})
		p.set(Add, part(adding))
		p.set(Move, part(removing), part(adding))
		if d.Element.changed() != nil {
			p.set(Change, part(changing))
		}
	} else {
		p.set(Insert, call{of: c, method: "Insert", effect: inserting}, call{of: v, method: "Insert", effect: inserting, each: true})
		p.set(Add, call{of: v, method: "Insert", effect: inserting})
		p.set(Move, call{of: v, method: "Delete", effect: deleting}, call{of: v, method: "Insert", effect: inserting})
		if f := d.Element.changed(); f != nil {
			p.set(Change, call{of: v, method: "Set", field: f.Name, effect: renaming})
		}
	}
	if d.Element.changed() == nil {
		p.refuse(Change, "%s has no field of one value outside its key", v)
	}
	d.rename(p)
	p.set(Delete, call{of: c, method: "Delete", effect: deleting})
	return p
}

// sample is the number of elements of a root in the table of costs: max= of the collection, or the default of aml estimate.
func (r *Relationship) sample() int {
	if r.Max > 0 {
		return r.Max
	}
	return model.DefaultElements
}
