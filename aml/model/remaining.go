package model

import "slices"

// Remaining is the field of a root that shows the remaining TTL of a row. Reads of the root's table set it, writes ignore it, and no column has it.
type Remaining struct {
	Field *Field
	Path  []string   // Go names from the struct to the field; more than one where plain structs are embedded
	Of    *Attribute // the value whose TTL it is; nil for a versioned root, whose values expire together

	option Option
}

// showsTTL reports whether the field shows the remaining TTL of a row.
func (f *Field) showsTTL() bool {
	t, err := ParseTag(f.Tag)
	return err == nil && t.Name != "-" && t.Has("ttl")
}

// remaining reads a field with ttl.
func (r *reader) remaining(f *Field, path []string, h holder) {
	tag := r.parse(f.Tag, onField)
	o, ok := tag.Option("ttl")
	if !ok {
		return // it has a fault that is reported
	}
	refuse := func(fix, format string, args ...any) { r.add(o.Pos, RuleMisplacedOption, fix, format, args...) }
	switch a := h.aggregate; {
	case a == nil:
		refuse("move it into the root", "ttl has no effect on a field of a composed struct: a field of a root can show the remaining TTL of its row")
	case a.Tag.Has("redundant") || a.Tag.Has("part"):
		refuse("delete it, or move it into the root", "ttl has no effect on a field of %s: a field of a root can show the remaining TTL of its row", a.Struct.Name)
	case a.Remaining != nil:
		refuse("keep one of them", "%s has two fields with ttl, %s and %s", a.Struct.Name, a.Remaining.Field.Name, f.Name)
	case f.Type.Kind != GoDuration || !f.Exported:
		refuse("use an exported field of type time.Duration", "%s cannot show the remaining TTL of a row", f.Name)
	case tag.Name != "" || len(tag.Options) > 1:
		refuse(`write aml:",ttl"`, "%s shows the remaining TTL of a row, and no column has it: its tag has neither a name nor other options", f.Name)
	default:
		a.Remaining = &Remaining{Field: f, Path: path, option: o}
	}
}

// remaining resolves the value whose remaining TTL a field shows.
func (c *ruleChecker) remaining(a *Aggregate) {
	x := a.Remaining
	if x == nil {
		return
	}
	refuse := func(fix, why string) {
		c.add(x.option.Pos, RuleMisplacedOption, fix, "%s cannot show the remaining TTL of a row: %s", x.Field.Name, why)
	}
	switch {
	case a.Counter:
		refuse("delete it", "counters have no TTL")
	case len(a.Parts) > 0:
		refuse("delete it", a.Struct.Name+" has parts, which expire separately")
	case a.Version != nil && !a.Properties.Expires():
		refuse("delete it, or write ttl= on the marker", "a root with a version expires only with ttl=")
	case a.Version == nil:
		if i := slices.IndexFunc(a.Attributes, showsTTL); i >= 0 {
			x.Of = a.Attributes[i]
			return
		}
		refuse("add required to a field outside the key whose value is one cell",
			"no field of "+a.Struct.Name+" always has one value that shows it, because a key has no TTL, nor a null")
	}
}

// showsTTL reports whether the TTL of a value is the TTL of its row: it is never null, and one cell.
func showsTTL(at *Attribute) bool {
	return at.Mandatory && !at.Key && !at.Static && !at.Type.MultiCell() && at.Disjunction == nil
}
