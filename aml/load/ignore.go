package load

import (
	"bytes"
	"go/ast"
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// almostIgnore finds misspelt comments that were meant to silence a warning: they contain a code, which ordinary comments do not.
var almostIgnore = regexp.MustCompile(`(?i)^/[/*]\s*aml\s*:\s*ignore\s+AML[0-9]`)

// ignores reads the comments //aml:ignore CODE reason of a file. A comment at the end of a line applies to that line. A comment
// on a separate line applies to the declaration or field after it.
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
			if strings.HasPrefix(code, "AML7") { // it concerns CQL in Go code: aml vet applies it
				continue
			}
			i := model.Ignore{Pos: l.pos(c.Pos()), Code: code, Reason: strings.TrimSpace(reason)}
			i.From, i.To = l.lines(f, group, c)
			out = append(out, i)
		}
	}
	return out
}

// lines returns the lines that a comment applies to.
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
