package mermaid

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// maxLabel is the number of characters after which the label of a line, or the row of an attribute, is cut.
const maxLabel = 90

// escape returns a name for a label. Characters that a grammar of Mermaid could read as syntax are written as entity codes, which
// Mermaid draws as the characters: #60; for <.
func escape(s string) string { return escapeTo(s, 60) }

// escapeTo returns a text for a label, with a limit of its characters.
func escapeTo(s string, most int) string {
	var b strings.Builder
	for _, r := range diagram.PlainTo(s, most) {
		if literal(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return directions.ReplaceAllString(b.String(), "$1#32;$2")
}

// literal reports whether a character of a label has no meaning in the grammars.
func literal(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .,+[]/«»→…", r) || r == '-'
}

// directions matches text that Mermaid reads as a statement wherever it is in a line.
var directions = regexp.MustCompile(`(?i)(direction) +(TB|TD|BT|RL|LR)`)

// ids are the identifiers of a diagram.
type ids struct {
	of    map[string]string
	taken map[string]bool
}

func newIDs() *ids { return &ids{map[string]string{}, map[string]bool{}} }

// id returns the identifier of a thing that has a key and a name. It is the name itself, if Mermaid can read it and nothing else has
// it.
func (i *ids) id(key, name string) string {
	if id, ok := i.of[key]; ok {
		return id
	}
	base := word(name)
	base = base[:min(len(base), maxID)]
	if !unicode.IsLetter(rune(base[0])) || slices.Contains(reserved, strings.ToLower(base)) {
		base = "x_" + base
	}
	id := base
	for n := 2; i.taken[id]; n++ {
		id = fmt.Sprintf("%s_%d", base, n)
	}
	i.of[key], i.taken[id] = id, true
	return id
}

// maxID is the number of letters of an identifier, without the number that distinguishes it from another. A longer one hides the
// diagram in a text that people read, too; the label has as many.
const maxID = 60

// word returns a name with _ in place of each character that an identifier of Mermaid cannot contain.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
}

// reserved are the words that the grammars read as keywords.
var reserved = []string{
	"accdescr", "acctitle", "call", "callback", "class", "classdef", "classdiagram", "click", "cssclass", "default", "direction", "end", "erdiagram",
	"graph", "href", "link", "many", "namespace", "note", "o", "one", "only", "optionally", "style", "subgraph", "title", "to", "u", "x", "zero",
}

// labelled returns an identifier with the label that is drawn instead, if they differ.
func labelled(id, label string) string {
	if id == label {
		return id
	}
	return id + `["` + escape(label) + `"]`
}
