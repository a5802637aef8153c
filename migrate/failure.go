package migrate

import (
	"strings"
	"unicode/utf8"
)

// maxFailure is how many bytes are recorded of why a statement failed: all records are read at every start.
const maxFailure = 8 << 10

// recorded is the text of an error as it can be recorded, which the error of a function may not be: a text of CQL is UTF-8,
// and NUL is no character to show. What is too long ends in "…".
func recorded(err error) string {
	text := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= maxFailure {
		return text
	}
	end := maxFailure - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
