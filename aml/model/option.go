package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/internal/lex"
)

// place is a set of places where an option is allowed.
type place uint8

const (
	onField place = 1 << iota
	onAggregate
	onEntity
	onObject
)

// optionKind is the form of an option after its name.
type optionKind uint8

const (
	flag         optionKind = iota // nothing
	valued                         // =value
	maybeValue                     // either
	number                         // =N
	numberOrName                   // =N, =$name or =$name:N
)

// optionRule is one row of the language's table of options.
type optionRule struct {
	name     string
	places   place
	kind     optionKind
	executed bool // by a generated store; the schema supports all of them
}

// optionRules are all options of the language.
var optionRules = []optionRule{
	{"identifier", onField, flag, true},
	{"discriminator", onField, flag, true},
	{"asc", onField, flag, true},
	{"desc", onField, flag, true},
	{"static", onField, flag, true},
	{"required", onField, flag, true},
	{"final", onField | onObject | onEntity, flag, true},
	{"enum", onField, flag, true},
	{"unique", onField, maybeValue, true},
	{"composition", onField, flag, true},
	{"qualifier", onField, valued, true},
	{"association", onField, valued, true},
	{"checked", onField, flag, false},
	{"ondelete", onField, valued, false},
	{"xor", onField, valued, true},
	{"any", onField, valued, true},
	{"min", onField, number, true},
	{"max", onField, number, true},
	{"version", onField, flag, true},
	{"counter", onField, flag, true},
	{"index", onField, maybeValue, true},
	{"type", onField, valued, true},
	{"from", onField, valued, true},
	{"copy", onField, valued, false},
	{"secret", onField, flag, true},
	{"was", onField | onAggregate | onObject | onEntity, valued, true},
	{"redundant", onAggregate, valued, true},
	{"distinct", onAggregate, flag, true},
	{"shared", onAggregate, flag, true},
	{"unlogged", onAggregate, flag, true},
	{"cache", onAggregate, valued, true},
	{"when", onAggregate, valued, true},
	{"part", onEntity, valued, true},
	{"of", onAggregate, valued, true},
	{"large", onAggregate | onEntity, flag, true},
	{"rows", onAggregate | onEntity, number, true},
	{"ttl", onAggregate, numberOrName, true},
	{"comment", onAggregate | onEntity, valued, true},
	{"gc_grace", onAggregate | onEntity, number, true},
	{"with", onAggregate | onEntity, valued, true},
}

func ruleOf(name string) (optionRule, bool) {
	i := slices.IndexFunc(optionRules, func(r optionRule) bool { return r.name == name })
	if i < 0 {
		return optionRule{}, false
	}
	return optionRules[i], true
}

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
		r, known := ruleOf(o.Key)
		switch {
		case err == nil && known && (o.Valued || r.kind == flag || r.kind == maybeValue):
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

// isOdd reports whether a character needs quotes in a name. Control characters are rejected in quotes, too, and are not counted here.
func isOdd(r rune) bool {
	return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !unicode.IsControl(r)
}

// isOption reports whether a name is an option's.
func isOption(name string) bool {
	_, known := ruleOf(name)
	return known
}

// places reports whether an option is allowed in a place.
func places(option string, where place) bool {
	r, _ := ruleOf(option)
	return r.places&where != 0
}

// allowed checks one option without the others.
func (f *faults) allowed(o Option, where place) bool {
	r, known := ruleOf(o.Key)
	switch {
	case !known:
		f.add(o.Pos, RuleUnknownOption, suggestion(o.Key, where), "unknown option %s", o.Key)
	case r.places&where == 0:
		f.add(o.Pos, RuleMisplacedOption, "write it "+r.places.String(), "%s has no effect %s", o.Key, where)
	case r.kind == flag && o.Valued:
		f.add(o.Pos, RuleMalformedTag, "write only "+o.Key, "%s does not accept a value", o.Key)
	case r.kind == maybeValue && o.Valued && o.Value == "", r.kind == valued && o.Value == "":
		f.add(o.Pos, RuleMalformedTag, "write "+o.Key+"=value", "%s needs a value", o.Key)
	case r.kind == numberOrName && !isNumberOrName(o.Value):
		f.add(o.Pos, RuleMalformedTag, "write "+o.Key+"=172800, "+o.Key+"=$retention:172800 or "+o.Key+"=$retention", "%s=%s is neither a number nor a name with $", o.Key, o.Value)
	case r.kind == number && !isNumber(o.Value):
		f.add(o.Pos, RuleMalformedTag, "write "+o.Key+"= and a whole number from 0 to 2147483647", "%s=%s is not a number", o.Key, o.Value)
	default:
		return true
	}
	return false
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 31)
	return err == nil
}

// isNumberOrName reports whether a value is a number, or a name that begins with $, with an optional number after a colon.
func isNumberOrName(s string) bool {
	name, number, numbered := cutName(s)
	if name == "" {
		return !strings.HasPrefix(s, "$") && isNumber(s)
	}
	letter := func(r rune) bool { return r == '_' || unicode.IsLetter(r) }
	first, _ := utf8.DecodeRuneInString(name)
	word := strings.IndexFunc(name, func(r rune) bool { return !letter(r) && !unicode.IsDigit(r) }) < 0
	return letter(first) && word && (!numbered || isNumber(number))
}

// cutName cuts a value like $name:N at the colon. The name is empty if the value has none.
func cutName(s string) (name, number string, numbered bool) {
	rest, named := strings.CutPrefix(s, "$")
	if !named {
		return "", s, true
	}
	return strings.Cut(rest, ":")
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

// misplaced reports options that have no effect in this place.
func (f *faults) misplaced(t Tag, why string, keys ...string) {
	for _, o := range t.Options {
		if slices.Contains(keys, o.Key) {
			f.add(o.Pos, RuleMisplacedOption, "delete it", "%s has no effect %s", o.Key, why)
		}
	}
}

// String returns the places for a message.
func (p place) String() string {
	names := []string{"on a field", "on the marker of an aggregate", "on the marker of an entity", "on the marker of a value object"}
	var out []string
	for i, n := range names {
		if p&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return strings.Join(out, " or ")
}

// suggestion returns the option that was probably meant.
func suggestion(name string, where place) string {
	if best := nearestOption(name, where); best != "" {
		return fmt.Sprintf("did you mean %s?", best)
	}
	if key, value, valued := strings.Cut(name, ":"); valued {
		if r, known := ruleOf(key); known && r.places&where != 0 && r.kind != flag {
			return fmt.Sprintf("write %s=%s", key, value)
		}
		return suggestion(key, where)
	}
	if cqltype.IsNative(name) && where&onField != 0 {
		return fmt.Sprintf("did you mean type=%s?", name)
	}
	var all []string
	for _, r := range optionRules {
		if r.places&where != 0 {
			all = append(all, r.name)
		}
	}
	return "the options allowed " + where.String() + " are " + strings.Join(all, ", ")
}

// optionsMeant are words of other mappers and of CQL for options, in lower case and without separators.
var optionsMeant = map[string]string{
	"primarykey": "identifier", "uniqueindex": "unique", "primary": "identifier", "pk": "identifier", "key": "identifier", "partitionkey": "identifier", "partition": "identifier",
	"hashkey": "identifier", "clusteringkey": "discriminator", "clustering": "discriminator", "clusteringcolumn": "discriminator", "ck": "discriminator",
	"sortkey": "discriminator", "rangekey": "discriminator", "notnull": "required", "mandatory": "required", "nonzero": "required",
	"immutable": "final", "readonly": "final", "writeonce": "final", "embedded": "composition", "embed": "composition", "nested": "composition", "udt": "composition", "frozen": "final",
	"foreignkey": "association", "fk": "association", "references": "association", "ref": "association", "belongsto": "association",
	"sensitive": "secret", "hidden": "secret", "indexed": "index", "sai": "index", "oldname": "was", "renamed": "was", "optimisticlock": "version",
}

// optionMeant returns the option for a word of another mapper or of CQL; "" for none.
func optionMeant(name string) string {
	return optionsMeant[strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))]
}

// nearestOption returns the option that was probably meant by one that does not exist; "" for none.
func nearestOption(name string, where place) string {
	if _, known := ruleOf(name); known {
		return ""
	}
	if meant := optionMeant(name); meant != "" && places(meant, where) {
		return meant
	}
	best, distance := "", near(name)
	for _, r := range optionRules {
		if r.places&where == 0 {
			continue
		}
		d := lex.EditDistance(name, r.name)
		if d < distance || d == distance && best != "" && r.name[0] == name[0] && best[0] != name[0] {
			best, distance = r.name, d
		}
	}
	return best
}

// near is the smallest edit distance at which a name is not suggested.
func near(name string) int { return min(len(name)/2, 2) + 1 }
