package load

import (
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// tag returns the aml part of a struct tag and its position.
func (l *loader) tag(f *types.Var, text string) model.Literal {
	value, at, clean, key := lookup(text)
	out := model.Literal{Text: value, Found: at >= 0, Pos: l.pos(f.Pos()), Key: key}
	if key != "" && strings.TrimSpace(value) == "-" {
		out.Text = "" // nothing is reported for an omitted field
	}
	switch {
	case at == twice:
		out.Text, out.Found, out.Twice = text, true, true
	case !out.Found && !clean && mentioned.MatchString(text):
		out.Text, out.Found, out.Broken = text, true, true
	}
	a := l.fields[f.Pos()]
	if a == nil || a.Tag == nil {
		return out
	}
	out.Pos = l.pos(a.Tag.Pos())
	if at >= 0 && a.Tag.Value[0] == '`' && strings.HasPrefix(text[at:], `"`+value+`"`) {
		out.Exact = true
		out.Pos.Col += len("`") + at + len(`"`)
	}
	return out
}

// mentioned finds the key aml in an invalid struct tag.
var mentioned = regexp.MustCompile(`(^|[^A-Za-z0-9_])(?i:aml):`)

// pair is one key:"value" of a struct tag.
var pair = regexp.MustCompile(`^ *([^\x00- :",\x7f]+):("(?:[^"\\]|\\.)*")(?: |$)`)

// twice is the position of a key that a struct tag has more than once.
const twice = -2

// lookup returns the value of the key aml of a struct tag. It also returns a key that differs from aml only in case, and
// the value of that key if aml is missing.
func lookup(tag string) (value string, at int, clean bool, other string) {
	value, at, clean = find(tag, "aml")
	for _, m := range capitals.FindAllStringSubmatch(tag, -1) {
		if v, i, _ := find(tag, m[1]); i >= 0 && m[1] != "aml" {
			if at == -1 {
				value, at = v, i
			}
			return value, at, clean, m[1]
		}
	}
	return value, at, clean, ""
}

// capitals matches the key aml in any case.
var capitals = regexp.MustCompile(`\b((?i:aml)):"`)

// find returns the value of a key in a struct tag and the position of its quotes: -1 for none, twice for more than one. A tag is clean
// if package reflect can read all of it.
func find(tag, key string) (value string, at int, clean bool) {
	at = -1
	for i := 0; strings.TrimLeft(tag[i:], " ") != ""; {
		m := pair.FindStringSubmatchIndex(tag[i:])
		if m == nil {
			return value, at, false
		}
		v, err := strconv.Unquote(tag[i+m[4] : i+m[5]])
		if err != nil {
			return value, at, false
		}
		if tag[i+m[2]:i+m[3]] == key {
			if at >= 0 { // reflect ignores the second
				return "", twice, false
			}
			value, at = v, i+m[4]
		}
		i += m[5]
	}
	return value, at, true
}
