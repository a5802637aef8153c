package syntax

import "github.com/cassaml/cassaml/internal/lex"

// Comments returns where the comments of a text are, with the signs that begin and end them. After a token that is not closed there are none.
func Comments(text string) (out []Span) {
	for l := (lex.Lexer{Text: text}); ; {
		t, err := l.Next()
		if err != nil || t.Kind == lex.End {
			return out
		}
		if t.Kind == lex.Comment {
			out = append(out, Span{t.From, t.To})
		}
	}
}
