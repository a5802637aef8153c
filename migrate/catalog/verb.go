package catalog

import (
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// verbs are the words that a statement of CQL begins with.
var verbs = setOf(`add alter begin create delete desc describe drop grant insert list revoke select truncate update use`)

// commands are words that cqlsh takes and no server knows.
var commands = setOf(`capture clear cls consistency copy debug elapsed exit expand help history login paging quit serial show source
	tracing unicode`)

// noStatement returns why a text cannot be a statement of CQL, by its first word; "" where it can be one.
func noStatement(text string) string {
	words := lex.Words(text)
	if len(words) == 0 {
		return ""
	}
	switch word := strings.ToLower(words[0].Text); {
	case words[0].Kind == lex.WordToken && verbs[word]:
		return ""
	case commands[word]:
		return words[0].Text + " is a command of cqlsh, and none of CQL: take it out"
	}
	return "no statement of CQL begins with " + words[0].Text
}
