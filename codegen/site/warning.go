package site

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// ignoreView is a warning, which a comment can silence.
type ignoreView struct {
	Code, Title, Reason, Where string
	Silenced                   bool
}

// aggregateWarnings returns the warnings of the struct and of the fields of an aggregate.
func (b *builder) aggregateWarnings(a *model.Aggregate) (out []ignoreView) {
	for _, i := range b.Package.Ignores {
		if concerns(i.Pos.File, i.From, i.To, a.Struct) {
			out = append(out, ignoreView{name(i.Code), ruleTitle(i.Code), text(i.Reason), "", true})
		}
	}
	for _, d := range b.Warnings {
		if concerns(d.Pos.File, d.Pos.Line, d.Pos.Line, a.Struct) {
			out = append(out, ignoreView{d.Rule.Code, d.Rule.Title, text(d.What + "; " + d.Fix), "", false})
		}
	}
	return out
}

// concerns reports whether lines of a file contain the name or a field of a struct.
func concerns(file string, from, to int, s *model.Struct) bool {
	in := func(p model.Pos) bool { return p.File == file && p.Line >= from && p.Line <= to }
	return in(s.Pos) || in(s.Tag.Pos) || slices.ContainsFunc(s.Fields, func(f *model.Field) bool { return in(f.Pos) || in(f.Tag.Pos) })
}

func ruleTitle(code string) string {
	for _, r := range model.Rules() {
		if r.Code == code {
			return r.Title
		}
	}
	return ""
}
