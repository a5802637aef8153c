package property

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// rule describes the valid values.
type rule struct {
	say   string // the message is "use …"
	holds func(string) bool
}

// rules are the rules of the entries of a map, by key.
type rules map[string]rule

// and returns the rules with more of them.
func (r rules) and(more rules) rules {
	out := maps.Clone(r)
	maps.Copy(out, more)
	return out
}

// check returns the faults of the entries, each checked separately.
func (r rules) check(owner string, entries map[string]string) []Fault {
	var out []Fault
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		switch of, known := r[key]; {
		case !known:
			out = append(out, Fault{Entry: key, What: fmt.Sprintf("%s has no %s, only %s", owner, key, names(r))})
		case !of.holds(entries[key]):
			out = append(out, of.refused(owner, key, entries[key]))
		}
	}
	return out
}

func (r rule) refused(owner, key, v string) Fault {
	return Fault{Entry: key, What: fmt.Sprintf("invalid %s %q of %s: use %s", key, v, owner, r.say)}
}

// names returns the keys of a map as a list.
func names[V any](m map[string]V) string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }

// whole returns the rule for whole numbers from one to another.
func whole(from, to int64) rule {
	bits := 64
	if from >= math.MinInt32 && to <= math.MaxInt32 {
		bits = 32
	}
	return rule{fmt.Sprintf("a whole number from %d to %d", from, to), func(s string) bool {
		n, ok := ReadWhole(s, bits)
		return ok && n >= from && n <= to
	}}
}

// choice returns the rule for a list of words; if cased, the case must match.
func choice(cased bool, words ...string) rule {
	return rule{strings.Join(words, " or "), func(s string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return s == w || !cased && strings.EqualFold(s, w) })
	}}
}

var (
	anything    = rule{"anything", func(string) bool { return true }}
	trueOrFalse = rule{"true or false", IsBoolean}
	readable    = rule{"true or false", func(s string) bool {
		_, ok := ReadBoolean(s)
		return ok
	}}
	number = rule{"a number", func(s string) bool {
		_, ok := ReadFraction(s)
		return ok
	}}
	positive = rule{"a number of 0 or more", func(s string) bool {
		f, ok := ReadFraction(s)
		return ok && !(f < 0)
	}}
	atLeastOne = whole(1, math.MaxInt32)
	threshold  = rule{whole(2, math.MaxInt32).say, func(s string) bool { return digitsOnly(s) && whole(2, math.MaxInt32).holds(s) }}
)
