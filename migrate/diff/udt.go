package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// types plans new types, and changes of existing ones.
func (p *planner) types() {
	for i, u := range p.to.Types {
		old := p.now.Type(u.Name)
		if shared, ok := p.now.Shared[u.Name]; ok {
			p.share(old, u, shared)
			continue
		}
		if old == nil {
			p.emit("", CreateType{u, p.model.Types[i]})
			p.retyped(u)
			continue
		}
		p.fields(old, u)
	}
}

// share plans the directive with the fields that the model needs of a type that another folder creates and alters.
func (p *planner) share(old, u *schema.UDT, shared catalog.Shared) {
	if old != nil && !shared.Ended && p.sameFields(old, u) {
		return
	}
	known := 0
	if old != nil {
		known = len(old.Fields)
	}
	p.emit(fmt.Sprintf("%s belongs to another package, whose folder creates and alters its type.", goTypeName(u)), ShareType{u, shared.From})
	if old == nil {
		p.retyped(u)
	} else if len(u.Fields) > known {
		p.refillGrown(u)
	}
}

// sameFields reports whether a type has exactly the fields of the model. In a live keyspace it may have more at the end.
func (p *planner) sameFields(old, u *schema.UDT) bool {
	have := old.Fields
	if p.from.Order == nil && len(have) > len(u.Fields) {
		have = have[:len(u.Fields)]
	}
	return slices.EqualFunc(have, u.Fields, func(a, b *schema.Field) bool { return a.Name == b.Name && a.Type.String() == b.Type.String() })
}

// goTypeName returns the Go name of a type with its package.
func goTypeName(u *schema.UDT) string { return u.Object.Struct.Pkg + "." + u.Object.Struct.Name }

// retyped refuses a new name of a type if a column keeps values of it, because the type of a column cannot change.
func (p *planner) retyped(u *schema.UDT) {
	was := u.Object.Was
	if was == "" {
		return
	}
	for _, t := range p.from.Tables {
		stays := p.to.Table(t.Name)
		if stays == nil {
			continue
		}
		for _, c := range t.Columns {
			now := catalog.Column(stays, c.Name)
			if now != nil && p.from.Holds(c, was) && p.to.Holds(now, u.Name) {
				p.refuse(placeOfType(u), RefusedTypeName, fmt.Sprintf("rename it back to %s", model.Quote(was)),
					"type %s cannot be renamed to %s: column %s of %s uses it", was, u.Name, c.Name, t.Name)
				return
			}
		}
	}
}

func placeOfType(u *schema.UDT) model.Pos {
	if u.Object.Struct.Tag.Found {
		return u.Object.Struct.Tag.Pos
	}
	return u.Object.Struct.Pos
}

// placeOfField returns the position of a field, or of its struct if the tool derives the field.
func placeOfField(u *schema.UDT, f *schema.Field) model.Pos {
	if f.Attribute.Pos.File != "" {
		return f.Attribute.Pos
	}
	return placeOfType(u)
}

// fields compares the fields of a type by position, because values are stored by position. The existing type may have more.
func (p *planner) fields(old, u *schema.UDT) {
	renames, ok := p.matched(old, u)
	if !ok {
		return
	}
	ordered, ok := orderRenames(renames, fieldNames(old))
	if !ok {
		p.refuse(placeOfType(u), RefusedRename, "rename them in two steps, with a temporary name", "fields of type %s exchange names", u.Name)
		return
	}
	for _, r := range ordered {
		p.emit(fmt.Sprintf("%s is renamed.", goFieldName(u, r.To)), RenameField{u.Name, r.From, r.To})
	}
	if len(u.Fields) > len(old.Fields) {
		p.grow(u, u.Fields[len(old.Fields):])
	}
}

// goFieldName returns the Go name of a field.
func goFieldName(u *schema.UDT, name string) string {
	for _, f := range u.Fields {
		if f.Name == name && f.Attribute != nil {
			return u.Object.Struct.Name + "." + strings.Join(f.Attribute.Path, ".")
		}
	}
	return u.Object.Struct.Name
}

// matched returns the fields that are renamed, and refuses fields that do not match the field at their position.
func (p *planner) matched(old, u *schema.UDT) ([]ddl.Rename, bool) {
	var renames []ddl.Rename
	for i, f := range u.Fields[:min(len(old.Fields), len(u.Fields))] {
		was := old.Fields[i]
		if f.Name != was.Name && f.Attribute.Was != was.Name {
			p.misplaced(old, u, i)
			return nil, false
		}
		if !p.to.SameStorage(u.Name, was.Type, f.Type) && !p.renamed(was.Type, f.Type) {
			fix := fmt.Sprintf("keep %s unchanged, and add a field with another name at the end of %s", was.Name, u.Object.Struct.Name)
			if p.to.FieldByField(u.Name) && was.Type.MultiCell() {
				fix = fmt.Sprintf("a model does not support columns that store this %s without frozen: make the column final, with another name, or remove it", u.Object.Struct.Name)
			}
			p.refuse(placeOfField(u, f), RefusedFieldType, fix,
				"field %s of type %s is %s and cannot become %s", was.Name, u.Name, was.Type, f.Type)
			return nil, false
		}
		if f.Name != was.Name {
			renames = append(renames, ddl.Rename{From: was.Name, To: f.Name})
		}
	}
	return renames, true
}

// misplaced refuses the first field that is not at its position.
func (p *planner) misplaced(old, u *schema.UDT, i int) {
	f, was := u.Fields[i], old.Fields[i]
	there := slices.ContainsFunc(old.Fields, func(o *schema.Field) bool { return o.Name == f.Name || o.Name == f.Attribute.Was })
	still := slices.ContainsFunc(u.Fields, func(n *schema.Field) bool { return n.Name == was.Name || n.Attribute.Was == was.Name })
	owner := u.Object.Struct.Name
	switch {
	case still && !there:
		p.refuse(placeOfField(u, f), RefusedFields, fmt.Sprintf("move %s to the end of %s, after %s", f.Attribute.GoName(), owner, goName(u, old.Fields[len(old.Fields)-1])),
			"field %s of type %s is new and not at the end: the server adds fields only at the end", f.Name, u.Name)
	case still:
		p.refuse(placeOfField(u, f), RefusedFields, fmt.Sprintf("move %s back after %s", f.Attribute.GoName(), previous(u, old, i)),
			"field %s of type %s is at the position of %s: values are stored by position", f.Name, u.Name, was.Name)
	default:
		p.refuse(placeOfField(u, f), RefusedFields,
			fmt.Sprintf("restore a field %s of type %s before %s; if it was renamed to %s, write was=%s in the tag", was.Name, was.Type, f.Attribute.GoName(), f.Attribute.GoName(), was.Name),
			"field %s of type %s cannot be dropped or replaced by %s: values are stored by position", was.Name, u.Name, f.Name)
	}
}

// previous returns the name of the field that a field followed.
func previous(u, old *schema.UDT, i int) string {
	name := u.Fields[i].Name
	at := slices.IndexFunc(old.Fields, func(o *schema.Field) bool { return o.Name == name || o.Name == u.Fields[i].Attribute.Was })
	return goName(u, old.Fields[max(at-1, 0)])
}

// goName returns the Go name of an existing field, or its CQL name if the struct no longer has it.
func goName(u *schema.UDT, old *schema.Field) string {
	for _, f := range u.Fields {
		if f.Name == old.Name || f.Attribute.Was == old.Name {
			return f.Attribute.GoName()
		}
	}
	return old.Name
}

// grow adds fields, each in a separate statement because the server accepts only one.
func (p *planner) grow(u *schema.UDT, fields []*schema.Field) {
	if t, c := p.now.PartitionKeyUser(u.Name); t != nil {
		fix := "give " + u.Object.Struct.Name + " another name in its tag, so that it is a new type"
		if stays := p.to.Table(t.Name); stays != nil {
			fix += ", and " + p.newTable(stays)
		}
		p.refuse(placeOfField(u, fields[0]), RefusedGrowth, fix,
			"type %s cannot get new fields: column %s of the partition key of %s uses it", u.Name, c.Name, t.Name)
		return
	}
	for _, f := range fields {
		p.emit(goFieldName(u, f.Name)+" is new.", AddField{u.Name, f})
	}
	p.refillGrown(u)
}

// refillGrown plans to fill the redundant tables that compose values of a type with new fields.
func (p *planner) refillGrown(u *schema.UDT) {
	for _, t := range p.to.Tables {
		if p.from.Table(t.Name) == nil || t.Aggregate == nil || t.Aggregate.IsSource() {
			continue
		}
		if tableComposes(t, u) {
			p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("%s has new fields, which the existing rows of %s do not have.", u.Object.Struct.Name, t.Name)})
		}
	}
}

// refillReturnedFields plans to fill the redundant tables that were filled with fewer fields of a type than the model has: a field that had left a
// value object, and that the type has kept, is in it again.
func (p *planner) refillReturnedFields() {
	for _, t := range p.to.Tables {
		if p.from.Order == nil || p.from.Table(t.Name) == nil || t.Aggregate == nil || t.Aggregate.IsSource() {
			continue
		}
		filled := p.from.Order.Fields(t.Name)
		for _, u := range p.to.Types {
			if known, fewer := filled[u.Name]; fewer && len(known) < len(u.Fields) && tableComposes(t, u) {
				p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("%s has fields again that it did not have when %s was filled.", u.Object.Struct.Name, t.Name)})
			}
		}
	}
}

// recordFields names the fields of the types that a redundant table composes, if it is created or filled without all of their fields.
func (p *planner) recordFields(t *schema.Table) {
	filled := slices.ContainsFunc(p.refills, func(r refill) bool { return r.table == t.Name })
	if t.Aggregate == nil || t.Aggregate.IsSource() || !filled && p.from.Table(t.Name) != nil {
		return
	}
	for _, u := range p.to.Types {
		if has := p.now.Type(u.Name); has != nil && len(has.Fields) > len(u.Fields) && tableComposes(t, u) {
			p.emit("", Fields{t.Name, u})
		}
	}
}

// tableComposes reports whether a redundant table composes values of a type.
func tableComposes(t *schema.Table, u *schema.UDT) bool {
	return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool { return c.Attribute != nil && composes(c.Attribute.Origin, u.Object) })
}

// composes reports whether a value of a redundant aggregate is composed from single fields to an object.
func composes(o *model.Origin, object *model.Object) bool {
	if o == nil {
		return false
	}
	return o.Object == object || slices.ContainsFunc(o.Fields, func(f *model.Origin) bool { return composes(f, object) })
}

// renamed reports whether two types differ only in names of user-defined types that was= connects. These names are refused
// separately.
func (p *planner) renamed(old, now *schema.Type) bool {
	text := now.String()
	for _, u := range p.to.Types {
		if w := u.Object.Was; w != "" {
			text = strings.ReplaceAll(text, "<"+model.Quote(u.Name)+">", "<"+model.Quote(w)+">")
			if text == model.Quote(u.Name) {
				text = model.Quote(w)
			}
		}
	}
	return text == old.String()
}
