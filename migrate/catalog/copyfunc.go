package catalog

import (
	"regexp"
	"strings"
	"unicode"
)

// CopyTableFunc returns the name of the function that copies the rows of a table to another one, without a number at its end.
func CopyTableFunc(from, to string) string { return FuncName("copy", from, "to", to) }

// CopyColumnFunc returns the name of the function that copies a column of a table to another one, without a number at its end.
func CopyColumnFunc(table, from, to string) string { return FuncName("copy", table, from, "to", to) }

// FuncName joins words to the name of a function.
func FuncName(words ...string) string {
	return strings.Join(strings.FieldsFunc(strings.Join(words, "_"), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "_")
}

// IsFunc reports whether a function has the given name, or this name with a number at its end, which makes it unique in a folder.
func IsFunc(function, name string) bool {
	rest, is := strings.CutPrefix(function, name)
	return is && regexp.MustCompile(`^(_[0-9]+)?$`).MatchString(rest)
}
