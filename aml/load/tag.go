package load

import (
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// tag finds the aml part of a struct tag and where it stands.
func (l *loader) tag(f *types.Var, text string) model.Literal {
	value, at, clean, key := lookup(text)
	out := model.Literal{Text: value, Found: at >= 0, Pos: l.pos(f.Pos()), Key: key}
	if key != "" && strings.TrimSpace(value) == "-" {
		out.Text = "" // nothing would be reported of a field that is left out
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

// mentioned finds the key in a tag that cannot be read.
var mentioned = regexp.MustCompile(`(^|[^A-Za-z0-9_])(?i:aml):`)

// pair is one key:"value" of a struct tag.
var pair = regexp.MustCompile(`^ *([^\x00- :",\x7f]+):("(?:[^"\\]|\\.)*")(?: |$)`)

// twice stands for the place of a key that a struct tag has more than once.
const twice = -2

// lookup returns the value of the key aml of a struct tag. A key that differs from aml in upper and lower case alone is returned, too,
// with its value where aml itself is missing.
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

// capitals finds what can be the key aml, or that in other letters.
var capitals = regexp.MustCompile(`\b((?i:aml)):"`)

// find finds the value of a key in a struct tag and where its quotes begin, -1 for none, twice for more than one. A tag is clean when
// all of it is written as package reflect reads it.
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
			if at >= 0 { // reflect would not see the second
				return "", twice, false
			}
			value, at = v, i+m[4]
		}
		i += m[5]
	}
	return value, at, true
}
