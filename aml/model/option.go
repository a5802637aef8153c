package model

import (
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
	name   string
	places place
	kind   optionKind
}

// optionRules are all options of the language.
var optionRules = []optionRule{
	{"identifier", onField, flag},
	{"discriminator", onField, flag},
	{"asc", onField, flag},
	{"desc", onField, flag},
	{"static", onField, flag},
	{"required", onField, flag},
	{"final", onField | onObject | onEntity, flag},
	{"enum", onField, flag},
	{"unique", onField, maybeValue},
	{"composition", onField, flag},
	{"qualifier", onField, valued},
	{"association", onField, valued},
	{"checked", onField, flag},
	{"ondelete", onField, valued},
	{"xor", onField, valued},
	{"any", onField, valued},
	{"min", onField, number},
	{"max", onField, number},
	{"version", onField, flag},
	{"counter", onField, flag},
	{"index", onField, maybeValue},
	{"type", onField, valued},
	{"from", onField, valued},
	{"copy", onField, valued},
	{"secret", onField, flag},
	{"was", onField | onAggregate | onObject | onEntity, valued},
	{"redundant", onAggregate, valued},
	{"distinct", onAggregate, flag},
	{"shared", onAggregate, flag},
	{"unlogged", onAggregate, flag},
	{"cache", onAggregate, valued},
	{"when", onAggregate, valued},
	{"part", onEntity, valued},
	{"of", onAggregate, valued},
	{"large", onAggregate | onEntity, flag},
	{"headrow", onAggregate, flag},
	{"rows", onAggregate | onEntity | onField, number},
	{"ttl", onField | onAggregate, numberOrName},
	{"comment", onAggregate | onEntity, valued},
	{"gc_grace", onAggregate | onEntity, number},
	{"with", onAggregate | onEntity, valued},
}

// kindAt returns the form of the option in a place.
func (r optionRule) kindAt(where place) optionKind {
	if r.name == "ttl" && where == onField {
		return flag // the field shows the remaining TTL
	}
	return r.kind
}

func lookupRule(name string) (optionRule, bool) {
	i := slices.IndexFunc(optionRules, func(r optionRule) bool { return r.name == name })
	if i < 0 {
		return optionRule{}, false
	}
	return optionRules[i], true
}

// isOption reports whether a name is an option's.
func isOption(name string) bool {
	_, known := lookupRule(name)
	return known
}

// places reports whether an option is allowed in a place.
func places(option string, where place) bool {
	r, _ := lookupRule(option)
	return r.places&where != 0
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
		if r, known := lookupRule(key); known && r.places&where != 0 && r.kindAt(where) != flag {
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
	if _, known := lookupRule(name); known {
		return ""
	}
	if meant := optionMeant(name); meant != "" && places(meant, where) {
		return meant
	}
	best, distance := "", suggestionDistance(name)
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

// suggestionDistance is the smallest edit distance at which a name is not suggested.
func suggestionDistance(name string) int { return min(len(name)/2, 2) + 1 }
