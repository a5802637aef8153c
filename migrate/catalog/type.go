package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

func (k *Keyspace) createType(s *ddl.CreateType) error {
	if k.Type(s.Type.Name) != nil {
		return existenceError(s.IfNotExists, "type %s already exists", s.Type.Name)
	}
	if s.Fault != nil {
		return s.Fault
	}
	for i, f := range s.Type.Fields {
		if err := k.checkKnown(f.Type); err != nil {
			return err
		}
		if err := fieldType(s.Name, f); err != nil {
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
		return fmt.Errorf("field %s of type %s cannot be a counter", f.Name, of)
	}
	if f.Type.UDT && !f.Type.Frozen {
		return fmt.Errorf("field %s of type %s is not frozen: write frozen<%s>", f.Name, of, f.Type)
	}
	return nil
}

func (k *Keyspace) addField(s *ddl.AddField) error {
	u := k.Type(s.Name)
	if u == nil {
		return existenceError(s.IfExists, "there is no type %s", s.Name)
	}
	if err := fieldType(s.Name, s.Field); err != nil {
		return err
	}
	if fieldAt(u, s.Field.Name) >= 0 {
		return existenceError(s.IfFieldNotExists, "type %s already has a field %s", s.Name, s.Field.Name)
	}
	if s.Fault != nil {
		return s.Fault
	}
	if err := k.checkKnown(s.Field.Type); err != nil {
		return err
	}
	if t, c := k.PartitionKeyUser(s.Name); t != nil {
		return fmt.Errorf("type %s cannot get new fields: column %s of the partition key of %s uses it", s.Name, c.Name, t.Name)
	}
	if k.contains(s.Field.Type, s.Name) {
		return fmt.Errorf("type %s cannot contain itself", s.Name)
	}
	u.Fields = append(u.Fields, s.Field)
	if len(names(s.Field.Type)) > 0 {
		k.moveAfterUsed(u)
	}
	return nil
}

func (k *Keyspace) renameFields(s *ddl.RenameFields) error {
	u := k.Type(s.Name)
	if u == nil {
		return existenceError(s.IfExists, "there is no type %s", s.Name)
	}
	to := lastNames(s.Names)
	for _, from := range slices.Sorted(maps.Keys(to)) {
		if fieldAt(u, from) < 0 {
			if err := existenceError(s.IfFieldExists, "type %s has no field %s", s.Name, from); err != nil {
				return err
			}
		}
	}
	become := collectNames(u.Fields, func(f *schema.Field) string {
		if name, renamed := to[f.Name]; renamed {
			return name
		}
		return f.Name
	})
	for i, name := range become {
		if slices.Index(become, name) != i {
			return fmt.Errorf("type %s would have two fields %s", s.Name, name)
		}
	}
	for i, f := range u.Fields {
		f.Name = become[i]
	}
	return nil
}

func (k *Keyspace) dropType(s *ddl.DropType) error {
	if k.Type(s.Name) == nil {
		return existenceError(s.IfExists, "there is no type %s", s.Name)
	}
	if user := k.TypeUser(s.Name); user != "" {
		return fmt.Errorf("type %s cannot be dropped: %s uses it", s.Name, user)
	}
	k.Types = slices.DeleteFunc(k.Types, func(u *schema.UDT) bool { return u.Name == s.Name })
	return nil
}

// existenceError returns an error, or nil if the statement has IF [NOT] EXISTS.
func existenceError(ifExists bool, format string, args ...any) error {
	if ifExists {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// fieldAt returns the position of a field; -1 if it does not exist.
func fieldAt(u *schema.UDT, name string) int {
	return slices.IndexFunc(u.Fields, func(f *schema.Field) bool { return f.Name == name })
}

// checkKnown refuses a type that uses an unknown user-defined type.
func (k *Keyspace) checkKnown(t *schema.Type) error {
	if t.UDT && k.Type(t.Name) == nil {
		return fmt.Errorf("there is no type %s", t.Name)
	}
	for _, a := range t.Args {
		if err := k.checkKnown(a); err != nil {
			return err
		}
	}
	return nil
}

// moveAfterUsed moves a type after the types that it uses, and keeps the types that use it after it.
func (k *Keyspace) moveAfterUsed(grown *schema.UDT) {
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

// names returns the user-defined types that a type contains directly.
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

// contains reports whether a type contains a user-defined type, at any depth.
func (k *Keyspace) contains(t *schema.Type, name string) bool {
	return slices.ContainsFunc(names(t), func(n string) bool {
		u := k.Type(n)
		return n == name || u != nil && slices.ContainsFunc(u.Fields, func(f *schema.Field) bool { return k.contains(f.Type, name) })
	})
}

// Holds reports whether a column holds values of a user-defined type, at any depth.
func (k *Keyspace) Holds(c *schema.Column, name string) bool { return k.contains(c.Type, name) }

// PartitionKeyUser returns a table whose partition key holds values of a user-defined type, and the column; nil if no table has such a key.
func (k *Keyspace) PartitionKeyUser(name string) (*schema.Table, *schema.Column) {
	for _, t := range k.Tables {
		for _, c := range t.PartitionKey {
			if k.Holds(c, name) {
				return t, c
			}
		}
	}
	return nil, nil
}

// TypeUser returns a description of a column, or of a field of another type, that uses a user-defined type; "" if nothing uses it.
func (k *Keyspace) TypeUser(name string) string {
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

// SameStorage reports whether a field of a user-defined type is stored as wanted. Its declaration may differ: a collection without frozen
// is frozen with each value of the type, unless a column of the keyspace holds values of the type that are not frozen.
func (k *Keyspace) SameStorage(udt string, have, want *schema.Type) bool {
	if have.String() == want.String() {
		return true
	}
	if !have.MultiCell() || have.UDT {
		return false
	}
	frozen := *have
	frozen.Frozen = true
	return frozen.String() == want.String() && !k.FieldByField(udt)
}

// FieldByField reports whether a column holds values of a user-defined type that are not frozen.
func (k *Keyspace) FieldByField(udt string) bool {
	return slices.ContainsFunc(k.Tables, func(t *schema.Table) bool {
		return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool {
			return c.Type.UDT && c.Type.Name == udt && c.Type.MultiCell()
		})
	})
}

// SameFieldStorage reports whether a field of a type is at its position and stored as in a wanted keyspace, even if its declaration
// differs: see [Keyspace.SameStorage].
func SameFieldStorage(have, want *Keyspace, udt, field string) bool {
	h, w := have.Type(udt), want.Type(udt)
	if h == nil || w == nil {
		return false
	}
	at := func(u *schema.UDT) int {
		return slices.IndexFunc(u.Fields, func(f *schema.Field) bool { return f.Name == field })
	}
	i := at(w)
	return i >= 0 && at(h) == i && want.SameStorage(udt, h.Fields[i].Type, w.Fields[i].Type)
}

// lastNames returns the new name of each name. If a name is renamed twice, the server uses the last rename.
func lastNames(in []ddl.Rename) map[string]string {
	to := map[string]string{}
	for _, r := range in {
		to[r.From] = r.To
	}
	return to
}
