package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Tag is a parsed aml tag.
type Tag struct {
	Name    string // CQL name; "" is the default name, "-" omits the field
	Quoted  bool   // the name is written in quotes
	Options []Option
	Pos     Pos
}

// Option is one option of a tag.
type Option struct {
	Key    string
	Value  string
	Valued bool // written with =
	Pos    Pos
}

// String returns the option as it is written in a tag.
func (o Option) String() string {
	if !o.Valued {
		return o.Key
	}
	return o.Key + "=" + quoteValue(o.Value)
}

// String returns the text of the tag; parsing it returns the same tag.
func (t Tag) String() string {
	name := quoteValue(t.Name)
	if name == t.Name && t.Name != "-" && (t.Quoted || isOption(t.Name) || strings.ContainsFunc(t.Name, isOdd)) {
		name = QuoteText(t.Name)
	}
	parts := []string{name}
	for _, o := range t.Options {
		parts = append(parts, o.String())
	}
	return strings.Join(parts, ",")
}

// quoteValue puts a value in quotes if a tag cannot contain it without them.
func quoteValue(v string) string {
	if parts, _, err := splitTag(v); err == nil && len(parts) <= 1 && !strings.Contains(v, "'") && strings.TrimSpace(v) == v {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", "''") + "'"
}

// Option returns the option of a name.
func (t Tag) Option(key string) (Option, bool) {
	for _, o := range t.Options {
		if o.Key == key {
			return o, true
		}
	}
	return Option{}, false
}

// Has reports whether the tag has the option.
func (t Tag) Has(key string) bool {
	_, ok := t.Option(key)
	return ok
}

// TagError is a problem of a tag and its position.
type TagError struct {
	Pos     Pos
	Problem string
}

// Error returns the problem.
func (e *TagError) Error() string { return e.Problem }

// ParseTag reads a tag. A malformed one is a *TagError.
func ParseTag(l Literal) (Tag, error) {
	t := Tag{Pos: l.Pos}
	parts, at, err := splitTag(l.Text)
	if err != nil {
		return t, &TagError{l.position(at), err.Error()}
	}
	for i, p := range parts {
		text := strings.TrimSpace(p.text)
		pos := l.position(p.at + strings.Index(p.text, text))
		if i == 0 {
			t.Name, err = unquote(text)
			t.Quoted = strings.HasPrefix(text, "'")
		} else {
			var o Option
			o, err = parseOption(text, pos)
			t.Options = append(t.Options, o)
		}
		if err != nil {
			return t, &TagError{pos, err.Error()}
		}
	}
	return t, nil
}

// position returns the position of the n-th byte of the tag.
func (l Literal) position(n int) Pos {
	if !l.Exact {
		return l.Pos
	}
	return l.Pos.add(n)
}

func parseOption(text string, pos Pos) (Option, error) {
	key, value, valued := strings.Cut(text, "=")
	o := Option{Key: strings.TrimSpace(key), Valued: valued, Pos: pos}
	if o.Key == "" {
		return o, errors.New("an option is empty")
	}
	if strings.ContainsAny(o.Key, "'<>{}") {
		return o, fmt.Errorf("%s is not a valid option name", o.Key)
	}
	v, err := unquote(strings.TrimSpace(value))
	o.Value = v
	return o, err
}

// unquote removes the outer quotes of a value and halves doubled quotes inside them.
func unquote(v string) (string, error) {
	if !strings.HasPrefix(v, "'") {
		return v, nil
	}
	if len(v) < 2 || !strings.HasSuffix(v, "'") {
		return v, fmt.Errorf("the value %s continues after its closing quote", v)
	}
	inner := v[1 : len(v)-1]
	if strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
		return v, fmt.Errorf("the value %s continues after its closing quote", v)
	}
	return strings.ReplaceAll(inner, "''", "'"), nil
}

type piece struct {
	text string
	at   int
}

// splitTag splits a tag at the commas outside <>, {} and single quotes. For a malformed tag it returns the byte offset of the
// fault.
func splitTag(s string) (pieces []piece, at int, err error) {
	var open []int // the brackets that are not closed yet
	quoted, quote, from := false, 0, 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\'':
			quoted, quote = !quoted, i
		case quoted:
		case c == '<' || c == '{':
			open = append(open, i)
		case c == '>' || c == '}':
			if len(open) == 0 || closing(s[open[len(open)-1]]) != c {
				return nil, i, fmt.Errorf("%c has no opening bracket", c)
			}
			open = open[:len(open)-1]
		case c == ',' && len(open) == 0:
			pieces, from = append(pieces, piece{s[from:i], from}), i+1
		}
	}
	if quoted {
		return nil, quote, errors.New("the quote is not closed")
	}
	if len(open) > 0 {
		at = open[len(open)-1]
		return nil, at, fmt.Errorf("the bracket is not closed, %c is missing", closing(s[at]))
	}
	return append(pieces, piece{s[from:], from}), 0, nil
}

// closing returns the closing bracket of an opening one: its ASCII code is two higher.
func closing(open byte) byte { return open + 2 }

// placeOr returns the position of the name in the tag, or the given position if the tag has no name.
func (t Tag) placeOr(named Pos) Pos {
	if t.Name == "" {
		return named
	}
	return t.Pos
}

// isOdd reports whether a character needs quotes in a name. Control characters are rejected in quotes, too, and are not counted here.
func isOdd(r rune) bool {
	return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !unicode.IsControl(r)
}

// number returns the value of a numeric option, or none if the tag does not have it.
func (t Tag) number(key string, none int) int {
	o, ok := t.Option(key)
	if !ok {
		return none
	}
	n, err := strconv.Atoi(o.Value)
	if err != nil {
		return none
	}
	return n
}

// value returns the value of an option; "" if the tag does not have it.
func (t Tag) value(key string) string {
	o, _ := t.Option(key)
	return o.Value
}
