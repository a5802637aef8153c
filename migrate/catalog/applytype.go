package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

func (s *CreateType) apply(k *Keyspace) error {
	if k.Type(s.Type.Name) != nil {
		return unless(s.IfNotExists, "type %s is there already", s.Type.Name)
	}
	if s.fault != nil {
		return s.fault
	}
	for i, f := range s.Type.Fields {
		if err := k.known(f.Type); err != nil {
			return err
		}
		if err := fieldType(s.Type.Name, f); err != nil {
			return err
		}
		if fieldAt(s.Type, f.Name) != i {
			return fmt.Errorf("type %s has two fields %s", s.Type.Name, f.Name)
		}
	}
	k.Types = append(k.Types, s.Type)
	return nil
}

// fieldType returns why the server refuses the type of a field.
func fieldType(of string, f *schema.Field) error {
	if f.Type.Counter() {
		return fmt.Errorf("field %s of type %s is a counter, which is for tables", f.Name, of)
	}
	if f.Type.UDT && !f.Type.Frozen {
		return fmt.Errorf("field %s of type %s is not frozen: write frozen<%s>", f.Name, of, f.Type)
	}
	return nil
}

func (s *AddField) apply(k *Keyspace) error {
	u := k.Type(s.Type)
	if u == nil {
		return unless(s.IfExists, "there is no type %s", s.Type)
	}
	if err := fieldType(s.Type, s.Field); err != nil {
		return err
	}
	if fieldAt(u, s.Field.Name) >= 0 {
		return unless(s.IfFieldNotExists, "type %s has a field %s already", s.Type, s.Field.Name)
	}
	if s.fault != nil {
		return s.fault
	}
	if err := k.known(s.Field.Type); err != nil {
		return err
	}
	if t, c := k.PartitionKeyOf(s.Type); t != nil {
		return fmt.Errorf("type %s can have no further field: column %s of the partition key of %s holds it", s.Type, c.Name, t.Name)
	}
	if k.inside(s.Field.Type, s.Type) {
		return fmt.Errorf("type %s cannot hold itself", s.Type)
	}
	u.Fields = append(u.Fields, s.Field)
	if len(names(s.Field.Type)) > 0 {
		k.order(u)
	}
	return nil
}

func (s *RenameFields) apply(k *Keyspace) error {
	u := k.Type(s.Type)
	if u == nil {
		return unless(s.IfExists, "there is no type %s", s.Type)
	}
	to := lastNames(s.Names)
	for _, from := range slices.Sorted(maps.Keys(to)) {
		if fieldAt(u, from) < 0 {
			if err := unless(s.IfFieldExists, "type %s has no field %s", s.Type, from); err != nil {
				return err
			}
		}
	}
	become := namesOf(u.Fields, func(f *schema.Field) string {
		if name, renamed := to[f.Name]; renamed {
			return name
		}
		return f.Name
	})
	for i, name := range become {
		if slices.Index(become, name) != i {
			return fmt.Errorf("type %s would have two fields %s", s.Type, name)
		}
	}
	for i, f := range u.Fields {
		f.Name = become[i]
	}
	return nil
}

func (s *DropType) apply(k *Keyspace) error {
	if k.Type(s.Name) == nil {
		return unless(s.IfExists, "there is no type %s", s.Name)
	}
	if user := k.UserOf(s.Name); user != "" {
		return fmt.Errorf("type %s cannot be dropped: %s holds it", s.Name, user)
	}
	k.Types = slices.DeleteFunc(k.Types, func(u *schema.UDT) bool { return u.Name == s.Name })
	return nil
}

func (s *Elsewhere) apply(*Keyspace) error { return nil }

// unless is an error, except where a statement says IF [NOT] EXISTS.
func unless(forgiven bool, format string, args ...any) error {
	if forgiven {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// fieldAt returns the place of a field; -1 for none.
func fieldAt(u *schema.UDT, name string) int {
	return slices.IndexFunc(u.Fields, func(f *schema.Field) bool { return f.Name == name })
}

// known refuses a type that needs a user-defined one that is not there.
func (k *Keyspace) known(t *schema.Type) error {
	if t.UDT && k.Type(t.Name) == nil {
		return fmt.Errorf("there is no type %s", t.Name)
	}
	for _, a := range t.Args {
		if err := k.known(a); err != nil {
			return err
		}
	}
	return nil
}

// order puts a type behind those that it needs, and those that need it stay behind it.
func (k *Keyspace) order(grown *schema.UDT) {
	var done []*schema.UDT
	seen := map[*schema.UDT]bool{nil: true}
	var put func(u *schema.UDT)
	put = func(u *schema.UDT) {
		if seen[u] {
			return
		}
		seen[u] = true
		for _, f := range u.Fields {
			for _, name := range names(f.Type) {
				put(k.Type(name))
			}
		}
		done = append(done, u)
	}
	for _, u := range k.Types {
		if u != grown {
			put(u)
		}
	}
	put(grown)
	k.Types = done
}

// names lists the user-defined types that a type is made of directly.
func names(t *schema.Type) []string {
	if t.UDT {
		return []string{t.Name}
	}
	var out []string
	for _, a := range t.Args {
		out = append(out, names(a)...)
	}
	return out
}

// inside reports whether a user-defined type is in a type, at whatever depth.
func (k *Keyspace) inside(t *schema.Type, name string) bool {
	return slices.ContainsFunc(names(t), func(n string) bool {
		u := k.Type(n)
		return n == name || u != nil && slices.ContainsFunc(u.Fields, func(f *schema.Field) bool { return k.inside(f.Type, name) })
	})
}

// Holds reports whether a column holds values of a user-defined type, at whatever depth.
func (k *Keyspace) Holds(c *schema.Column, name string) bool { return k.inside(c.Type, name) }

// PartitionKeyOf finds a table whose partition key holds values of a user-defined type, and the column; nil is none.
func (k *Keyspace) PartitionKeyOf(name string) (*schema.Table, *schema.Column) {
	for _, t := range k.Tables {
		for _, c := range t.PartitionKey {
			if k.Holds(c, name) {
				return t, c
			}
		}
	}
	return nil, nil
}

// UserOf names a column or a field of another type that holds values of a user-defined type; "" is none.
func (k *Keyspace) UserOf(name string) string {
	for _, t := range k.Tables {
		for _, c := range t.Columns {
			if slices.Contains(names(c.Type), name) {
				return "column " + c.Name + " of " + t.Name
			}
		}
	}
	for _, u := range k.Types {
		for _, f := range u.Fields {
			if slices.Contains(names(f.Type), name) {
				return "field " + f.Name + " of type " + u.Name
			}
		}
	}
	return ""
}
