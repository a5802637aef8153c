package site

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest texts that pages show. Longer ones are cut: a page must stay readable.
const (
	maxName = 200
	maxText = 20_000
)

// plain returns a text as a page can show it: without control characters and characters that change the direction of the text
// after them, and not longer than most.
func plain(s string, most int) string {
	if len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r > '~' }) {
		return s
	}
	if len(s) > utf8.UTFMax*most {
		s = s[:utf8.UTFMax*most]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return s
}

// name returns a name as a page can show it.
func name(s string) string { return plain(s, maxName) }

// text returns a text as a page can show it.
func text(s string) string { return plain(s, maxText) }
