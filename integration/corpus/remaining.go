package corpus

import "slices"

// remaining adds fields that show the remaining TTL of a row to some roots whose rows have a value that shows it, and views to some of them.
func (g *Generator) remaining() {
	for _, s := range g.m.Structs {
		if s.Role == Root && s.Marker == Aggregate && g.chance(40) && slices.ContainsFunc(s.Fields, showsTTL) && !g.hasParts(s) &&
			!slices.ContainsFunc(s.Fields, func(f *Field) bool { return f.Has("version") || f.Has("counter") }) {
			s.Fields = append(s.Fields, &Field{Name: g.fieldName(s, false), Type: scalar("time.Duration", ""), Tag: tag("", "ttl")})
			g.note("remaining TTL")
			if g.chance(50) {
				g.view(s)
			}
		}
	}
}

// hasParts reports whether a struct of the model is a part of a root.
func (g *Generator) hasParts(root *Struct) bool {
	return slices.ContainsFunc(g.m.Structs, func(s *Struct) bool {
		if s.Tag == nil {
			return false
		}
		of, _ := s.Tag.Value("part")
		return of == root.Name
	})
}

// showsTTL reports whether the TTL of a field is the TTL of its row: it is one cell, and never null.
func showsTTL(f *Field) bool {
	return f.Type.Kind == Native && f.Has("required") && !f.hasOne("identifier", "discriminator", "static", "xor")
}
