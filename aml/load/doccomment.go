package load

import (
	"go/ast"
	"go/types"
	"strings"
)

// document records the doc comments of the types of a declaration. If a group has one type, the comment of the group can be its comment.
func (l *loader) document(d *ast.GenDecl) {
	for _, s := range d.Specs {
		t, ok := s.(*ast.TypeSpec)
		if !ok {
			return
		}
		doc := t.Doc
		if doc == nil && len(d.Specs) == 1 {
			doc = d.Doc
		}
		l.docs[t.Name.Pos()] = commentText(doc)
	}
}

// fieldDoc returns the comment of a field: before it, or at the end of its line. It returns "" for a field of another package.
func (l *loader) fieldDoc(f *types.Var) string {
	field := l.fields[f.Pos()]
	if field == nil {
		return ""
	}
	if text := commentText(field.Doc); text != "" {
		return text
	}
	return commentText(field.Comment)
}

// packageDoc returns the doc comments of the package, in the order of its files.
func (l *loader) packageDoc() string {
	var out []string
	for _, f := range l.files {
		if text := commentText(f.Doc); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// commentText returns the text of a comment, without directives such as //aml:ignore; "" for a missing comment.
func commentText(c *ast.CommentGroup) string { return strings.TrimSpace(c.Text()) }
