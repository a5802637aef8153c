package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// types reads the user-defined types, and puts each behind those it needs.
func (in *inspection) types() error {
	var name string
	var fields, types []string
	var all []*schema.UDT
	var faults error
	err := in.each("SELECT type_name, field_names, field_types FROM system_schema.types", func() {
		u, err := typeOfRow(name, fields, types)
		if all = append(all, u); faults == nil {
			faults = err
		}
		fields, types = nil, nil
	}, &name, &fields, &types)
	if err != nil || faults != nil {
		return cmp.Or(err, faults)
	}
	in.found.Types = inOrder(all)
	return nil
}

func typeOfRow(name string, fields, types []string) (*schema.UDT, error) {
	u := &schema.UDT{Name: name}
	for i := range fields {
		t, err := ParseType(types[i])
		if err != nil {
			return nil, fmt.Errorf("type %s, field %s: %w", name, fields[i], err)
		}
		u.Fields = append(u.Fields, &schema.Field{Name: fields[i], Type: t})
	}
	return u, nil
}

// inOrder sorts types by name, each behind those it needs.
func inOrder(all []*schema.UDT) []*schema.UDT {
	slices.SortFunc(all, func(a, b *schema.UDT) int { return strings.Compare(a.Name, b.Name) })
	var out []*schema.UDT
	var visit func(u *schema.UDT)
	visit = func(u *schema.UDT) {
		if slices.Contains(out, u) {
			return
		}
		for _, f := range u.Fields {
			for _, o := range all {
				if o != u && slices.Contains(names(f.Type), o.Name) {
					visit(o)
				}
			}
		}
		out = append(out, u)
	}
	for _, u := range all {
		visit(u)
	}
	return out
}
