package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// parse reads a tag and removes the options that are not allowed there, each with a diagnostic.
func (f *faults) parse(l Literal, where place) Tag {
	t, err := ParseTag(l)
	if l.Twice {
		f.add(l.Pos, RuleMalformedTag, "keep one of them", "malformed tag %q: the key aml appears twice, and Go reads only the first", l.Text)
		return Tag{Name: t.Name, Pos: l.Pos}
	}
	if l.Key != "" {
		f.add(l.Pos, RuleMalformedTag, "write aml: in lower case", "the key %s of a struct tag is not aml, so the tag is not read", l.Key)
	}
	if l.Broken {
		err = &TagError{l.Pos, "it is not a Go struct tag"}
	}
	if fault := (*TagError)(nil); errors.As(err, &fault) {
		f.add(fault.Pos, RuleMalformedTag, "write it like aml:\"name,option,option=value\"", "malformed tag %q: %v", l.Text, err)
		return Tag{Name: t.Name, Pos: l.Pos}
	}
	if t.Name == "-" && len(t.Options) > 0 {
		f.add(t.Pos, RuleMalformedTag, "write aml:\"-\" to omit the field, or use another name", "malformed tag %q: an omitted field has no options", l.Text)
	}
	t = f.optionAsName(t, where)
	kept := t.Options[:0:0]
	seen := map[string]bool{}
	for _, o := range t.Options {
		if seen[o.Key] {
			f.add(o.Pos, RuleRepeatedOption, "delete one of them", "%s appears twice", o.Key)
			continue
		}
		seen[o.Key] = true
		if f.allowed(o, where) {
			kept = append(kept, o)
		}
	}
	t.Options = kept
	return t
}

// optionAsName refuses an unquoted name that is an option, or that contains a character which an unquoted name cannot contain, such
// as a wrong separator of options. The tag that it returns contains the options of the name as options, so that nothing else is
// reported for the field.
func (f *faults) optionAsName(t Tag, where place) Tag {
	odd := strings.IndexFunc(t.Name, isOdd)
	if t.Quoted || t.Name == "-" || odd < 0 && (!isOption(t.Name) || !places(t.Name, where) || t.Has(t.Name)) {
		return t
	}
	name, meant := "", []Option{}
	for _, part := range strings.FieldsFunc(gormWords.Replace(t.Name), func(r rune) bool { return strings.ContainsRune(":;| \t", r) }) {
		o, err := parseOption(part, t.Pos)
		if other := optionMeant(o.Key); other != "" && name != "" {
			o.Key = other
		}
		r, known := lookupRule(o.Key)
		switch {
		case err == nil && known && (o.Valued || r.kindAt(where) == flag || r.kindAt(where) == maybeValue):
			meant = append(meant, o)
		case name == "" && !known:
			name = part
		}
	}
	table := where&(onAggregate|onEntity) != 0
	if table && odd >= 0 && len(meant) == 0 {
		return t // it is not a valid table name in quotes either, which is refused later
	}
	what := fmt.Sprintf("%s is an option, but it is in the place of the name", t.Name)
	if odd >= 0 {
		r, _ := utf8.DecodeRuneInString(t.Name[odd:])
		what = fmt.Sprintf("the name %s contains %s", t.Name, strings.Replace(string(r), " ", "a space", 1))
	}
	if len(meant) == 0 && name != "" {
		name = t.Name // avoid a duplicate column because of a fault
	}
	options := slices.Concat(meant, t.Options)
	fix := fmt.Sprintf("put the name in quotes: aml:\"%s\"", Tag{Name: t.Name, Options: t.Options})
	if table && odd >= 0 {
		fix = "use another name for the table"
	}
	if len(meant) > 0 {
		fix = fmt.Sprintf("write aml:\"%s\", or ", Tag{Name: name, Options: options}) + fix
	}
	f.add(t.Pos, RuleOptionAsName, fix, "%s", what)
	t.Name, t.Options = name, options
	return t
}

// gormWords replaces the words of a gorm tag that contain a separator of options.
var gormWords = strings.NewReplacer("column:", "", "not null", "required")

// allowed checks one option without the others.
func (f *faults) allowed(o Option, where place) bool {
	r, known := lookupRule(o.Key)
	kind := r.kindAt(where)
	switch {
	case !known:
		f.add(o.Pos, RuleUnknownOption, suggestion(o.Key, where), "unknown option %s", o.Key)
	case r.places&where == 0:
		f.add(o.Pos, RuleMisplacedOption, "write it "+r.places.String(), "%s has no effect %s", o.Key, where)
	case kind == flag && o.Valued:
		f.add(o.Pos, RuleMalformedTag, "write only "+o.Key, "%s does not accept a value", o.Key)
	case kind == maybeValue && o.Valued && o.Value == "", kind == valued && o.Value == "":
		f.add(o.Pos, RuleMalformedTag, "write "+o.Key+"=value", "%s needs a value", o.Key)
	case kind == numberOrName && !isNumberOrName(o.Value):
		f.add(o.Pos, RuleMalformedTag, "write "+o.Key+"="+inSeconds(o.Value)+", "+o.Key+"=$retention:172800 or "+o.Key+"=$retention",
			"%s=%s is neither a number of seconds, without a unit, nor a name with $", o.Key, o.Value)
	case kind == number && !isNumber(o.Value):
		f.add(o.Pos, RuleMalformedTag, "write "+o.Key+"= and a whole number from 0 to 2147483647", "%s=%s is not a number", o.Key, o.Value)
	default:
		return true
	}
	return false
}

// inSeconds returns a time with a unit, such as 24h or 1d, as a number of seconds; otherwise an example.
func inSeconds(value string) string {
	days, ok := strings.CutSuffix(value, "d")
	if n, err := strconv.Atoi(days); ok && err == nil && n > 0 && n < 24_855 {
		return strconv.Itoa(n * 24 * 60 * 60)
	}
	if d, err := time.ParseDuration(value); err == nil && d >= time.Second {
		return strconv.Itoa(int(d / time.Second))
	}
	return "172800"
}

// misplaced reports options that have no effect in this place.
func (f *faults) misplaced(t Tag, why string, keys ...string) {
	for _, o := range t.Options {
		if slices.Contains(keys, o.Key) {
			f.add(o.Pos, RuleMisplacedOption, "delete it", "%s has no effect %s", o.Key, why)
		}
	}
}
