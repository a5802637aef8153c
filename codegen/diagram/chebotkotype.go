package diagram

import "github.com/cassaml/cassaml/aml/schema"

// UsedTypes returns the user-defined types of a schema that some of its tables use, in the order of the schema.
func UsedTypes(s *schema.Schema, tables []*schema.Table) (out []*schema.UDT) {
	used := map[string]bool{}
	var use func(t *schema.Type)
	use = func(t *schema.Type) {
		for _, a := range t.Args {
			use(a)
		}
		if !t.UDT || used[t.Name] {
			return
		}
		used[t.Name] = true
		for _, u := range s.Types {
			if u.Name == t.Name {
				for _, f := range u.Fields {
					use(f.Type)
				}
			}
		}
	}
	for _, t := range tables {
		for _, c := range t.Columns {
			use(c.Type)
		}
	}
	for _, u := range s.Types {
		if used[u.Name] {
			out = append(out, u)
		}
	}
	return out
}

// types draws the user-defined types that tables use. They have no place in the group of a root, because several roots can use one.
func (d *chebotkoDrawing) types(s *schema.Schema, tables []*schema.Table) (groups []*group) {
	for _, u := range UsedTypes(s, tables) {
		d.used["*"] = true
		var rows [][3]Text
		for _, f := range u.Fields {
			name := bracketed(f.Name, f.Type)
			d.note(name != f.Name, name[:1])
			rows = append(rows, [3]Text{{S: PlainText(name), Style: body, Color: Ink}, {S: d.typeName(f.Type), Style: small, Color: Faint}})
		}
		g := newGroup(d.box("*"+u.Name+"*", rows, false, "", 0))
		g.in = d.labels[s]
		groups = append(groups, g)
	}
	return groups
}

// typeName returns the type of a column or a field, which only a physical diagram has.
func (d *chebotkoDrawing) typeName(t *schema.Type) string {
	if !d.physical {
		return ""
	}
	return PlainText(t.String())
}
