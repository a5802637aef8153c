package load

import (
	"bytes"
	"go/ast"
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// almostIgnore finds comments that were to silence a warning: they have its code, which prose about them has not.
var almostIgnore = regexp.MustCompile(`(?i)^/[/*]\s*aml\s*:\s*ignore\s+AML[0-9]`)

// ignores reads the comments //aml:ignore CODE reason of a file. One at the end of a line speaks of that line; one on a
// line of its own of what follows the comment, to the end of the declaration or field that begins there.
func (l *loader) ignores(f *ast.File) []model.Ignore {
	var out []model.Ignore
	for _, group := range f.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "//aml:ignore")
			if !ok && almostIgnore.MatchString(c.Text) {
				out = append(out, model.Ignore{Pos: l.pos(c.Pos()), Unread: true})
			}
			if !ok || text != "" && text[0] != ' ' && text[0] != '\t' {
				continue
			}
			code, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
			i := model.Ignore{Pos: l.pos(c.Pos()), Code: code, Reason: strings.TrimSpace(reason)}
			i.From, i.To = l.lines(f, group, c)
			out = append(out, i)
		}
	}
	return out
}

// lines returns which lines a comment speaks of.
func (l *loader) lines(f *ast.File, group *ast.CommentGroup, c *ast.Comment) (from, to int) {
	at := l.fset.Position(c.Pos())
	src := l.sources[at.Filename]
	begin := at.Offset - (at.Column - 1)
	if len(bytes.TrimSpace(src[begin:at.Offset])) > 0 {
		return at.Line, at.Line
	}
	from = l.fset.Position(group.End()).Line + 1
	to = from
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		switch n.(type) {
		case *ast.GenDecl, *ast.TypeSpec, *ast.Field:
			if l.fset.Position(n.Pos()).Line == from {
				to = max(to, l.fset.Position(n.End()).Line)
			}
		}
		return true
	})
	return from, to
}
