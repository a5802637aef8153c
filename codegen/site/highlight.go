package site

import (
	"html/template"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// highlight renders CQL with its keywords, strings and comments marked. A text that the lexer does not accept is rendered as it is.
func highlight(cql string) template.HTML {
	var b strings.Builder
	l := lex.Lexer{Text: cql}
	for {
		t, err := l.Next()
		if err != nil {
			return template.HTML(template.HTMLEscapeString(cql)) //nolint:gosec // escaped
		}
		if t.Kind == lex.End {
			return template.HTML(b.String()) //nolint:gosec // each piece is escaped
		}
		piece := template.HTMLEscapeString(cql[t.From:t.To])
		if class := class(t.Kind, cql[t.From:t.To]); class != "" {
			piece = `<span class="` + class + `">` + piece + "</span>"
		}
		b.WriteString(piece)
	}
}

func class(k lex.Kind, piece string) string {
	switch {
	case k == lex.Comment:
		return "comment"
	case k == lex.Quoted && piece[0] != '"':
		return "string"
	case k == lex.WordToken && piece == strings.ToUpper(piece) && strings.ContainsAny(piece, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
		return "keyword"
	}
	return ""
}
