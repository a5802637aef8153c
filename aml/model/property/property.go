package property

import (
	"fmt"
	"math"
	"strings"
)

// Kind is the form of a property's value.
type Kind int

// The kinds of properties.
const (
	Unknown  Kind = iota // not a property of a table, or one whose values depend on the configuration of the server
	Text                 // a text, which may be a word or a number without quotes
	Boolean              // true or false, or another word that the server reads as one of them
	Whole                // a whole number
	Fraction             // a number
	Map                  // a map of texts to texts
)

// Value is the value of a property.
type Value struct {
	Text    string            // a string without its quotes
	Quoted  bool              // it is a string
	Entries map[string]string // set for a map
	Word    string            // the first text in it without quotes that is neither a number nor a boolean
}

// Fault is a reason why Cassandra refuses a property, or why it cannot start again with it.
type Fault struct {
	Entry string // the key in a map that has the fault; "" for the whole value
	What  string // the message
	Range bool   // the number is well-formed, but not within its limits
	Local bool   // some servers can accept it: a class or a configuration that not every server has
}

// MaxTTL is the longest time to live, 20 years in seconds.
const MaxTTL = 20 * 365 * 24 * 60 * 60

// FalsePositives is the chance of false positives in the Bloom filters of a table, and ByDefault its value for the server's
// default.
const (
	FalsePositives = "bloom_filter_fp_chance"
	ByDefault      = "-1"
)

// property describes the values of a property.
type property struct {
	kind  Kind
	valid rule                            // the rule of a text or a number
	of    func(map[string]string) []Fault // checks the entries of a map
}

var properties = map[string]property{
	"additional_write_policy":     {kind: Text, valid: rule{retrySay, isRetry}},
	"allow_auto_snapshot":         {kind: Boolean, valid: readable},
	"auto_repair":                 {kind: Map, of: checkRepair},
	FalsePositives:                {kind: Fraction, valid: falsePositives},
	"caching":                     {kind: Map, of: checkCaching},
	"cdc":                         {kind: Boolean, valid: readable},
	"comment":                     {kind: Text, valid: anything},
	"compaction":                  {kind: Map, of: checkCompaction},
	"compression":                 {kind: Map, of: checkCompression},
	"crc_check_chance":            {kind: Fraction, valid: chance},
	"default_time_to_live":        {kind: Whole, valid: whole(0, MaxTTL)},
	"gc_grace_seconds":            {kind: Whole, valid: whole(0, math.MaxInt32)},
	"incremental_backups":         {kind: Boolean, valid: readable},
	"max_index_interval":          {kind: Whole, valid: whole(1, math.MaxInt32)},
	"memtable":                    {kind: Text, valid: rule{"'default', unless the server is configured with others", choice(true, "default").holds}},
	"memtable_flush_period_in_ms": {kind: Whole, valid: whole(0, math.MaxInt32)},
	"min_index_interval":          {kind: Whole, valid: whole(1, math.MaxInt32)},
	"read_repair":                 {kind: Text, valid: choice(false, "BLOCKING", "NONE")},
	"speculative_retry":           {kind: Text, valid: rule{retrySay, isRetry}},
}

// LookupKind returns the kind of a property; Unknown for any other name.
func LookupKind(name string) Kind { return properties[name].kind }

// Check returns the faults of the value of a property, first the faults of the value as a whole. It returns none for an unknown
// property.
func Check(name string, v Value) []Fault {
	p := properties[name]
	switch {
	case p.kind == Unknown:
		return nil
	case p.kind == Map && v.Entries == nil:
		return []Fault{{What: name + " must be a map: {'key': 'value', …}"}}
	case p.kind == Map:
		return p.of(v.Entries)
	case v.Entries != nil:
		return []Fault{{What: name + " must not be a map"}}
	case p.valid.holds(v.Text):
		return nil
	}
	f := Fault{What: fmt.Sprintf("invalid %s %q: use %s", name, v.Text, p.valid.say), Range: p.kind.reads(v.Text), Local: name == "memtable"}
	if at := rounded(v.Text); p.kind == Text && at != "" {
		f.What = fmt.Sprintf("invalid %s %q: a server stores it as %s, and cannot start again with that value", name, v.Text, at)
	}
	return []Fault{f}
}

// reads reports whether a text is a number of the kind.
func (k Kind) reads(s string) bool {
	switch k {
	case Whole:
		_, ok := ReadWhole(s, 32)
		return ok
	case Fraction:
		_, ok := ReadFraction(s)
		return ok
	}
	return false
}

// falsePositives are the chances that a Bloom filter can be built for.
var falsePositives = rule{"a number above 6.71e-05, up to 1, or " + ByDefault + " for the server's default", func(s string) bool {
	f, ok := ReadFraction(s)
	return ok && (f == -1 || !(f <= 6.71e-05) && !(f > 1))
}}

var chance = rule{"a number from 0 to 1", func(s string) bool {
	f, ok := ReadFraction(s)
	return ok && !(f < 0) && !(f > 1)
}}

// checkRepair refuses the property, whose entries it does not check.
func checkRepair(map[string]string) []Fault {
	return []Fault{{What: "auto_repair requires servers that are configured to repair tables automatically", Local: true}}
}

// checkCaching checks the entries of caching.
func checkCaching(entries map[string]string) []Fault { return cached.check("caching", entries) }

var cached = rules{"keys": choice(false, "ALL", "NONE"), "rows_per_partition": {"ALL, NONE or a whole number from 0 to 2147483647", func(s string) bool {
	_, ok := ReadWhole(s, 32)
	return strings.EqualFold(s, "ALL") || strings.EqualFold(s, "NONE") || ok && digitsOnly(s)
}}}

// CheckIntervals returns a fault if the maximum interval of an index summary is below the minimum. A missing one has the server's
// default, whatever the table had before. Values that are not numbers are not checked.
func CheckIntervals(given map[string]Value) *Fault {
	least, ofLeast, lok := interval(given, "min_index_interval", 128)
	most, ofMost, mok := interval(given, "max_index_interval", 2048)
	if !lok || !mok || least <= most {
		return nil
	}
	return &Fault{What: fmt.Sprintf("max_index_interval, %s, is below min_index_interval, %s", ofMost, ofLeast), Range: true}
}

func interval(given map[string]Value, name string, byDefault int64) (n int64, say string, ok bool) {
	v, there := given[name]
	if !there {
		return byDefault, fmt.Sprintf("the default %d", byDefault), true
	}
	n, ok = ReadWhole(v.Text, 32)
	return n, fmt.Sprint(n), ok && n > 0
}
