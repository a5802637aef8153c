package catalog

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// fpChance is the chance of false positives in the Bloom filters of a table, of which byDefault stands for the server's own.
const (
	fpChance  = "bloom_filter_fp_chance"
	byDefault = "-1"
)

// Properties that are numbers, with what they lie between.
var (
	wholeRanges = map[string][2]int64{
		"default_time_to_live":        {0, 20 * 365 * 24 * 60 * 60},
		"gc_grace_seconds":            {0, math.MaxInt32},
		"max_index_interval":          {0, math.MaxInt32},
		"memtable_flush_period_in_ms": {0, math.MaxInt32},
		"min_index_interval":          {1, math.MaxInt32},
	}
	fractionRanges = map[string][2]float64{
		fpChance:           {6.71e-05, 1}, // it must be above the first
		"crc_check_chance": {0, 1},
	}
)

// truths are the properties that are true or false.
var truths = setOf("allow_auto_snapshot cdc incremental_backups")

// texts are the properties that are texts, and forms what those must look like of which not all are taken.
var (
	texts = setOf("additional_write_policy comment memtable read_repair speculative_retry")
	forms = map[string]func(string) error{
		"additional_write_policy": retryForm,
		"read_repair":             readRepairForm,
		"speculative_retry":       retryForm,
	}
)

// mapForms are the properties that are maps. What repairs a table by itself is for servers that are configured so to judge.
var mapForms = map[string]func(map[string]string) error{
	"auto_repair": func(map[string]string) error { return nil },
	"caching":     cachingForm,
	"compaction":  compactionForm,
	"compression": compressionForm,
}

// form says why the server refuses the value of a property, whatever a statement finds. Of one that it does not know it
// says nothing.
func form(name string, v value) error {
	if judge, ok := mapForms[name]; ok {
		if v.entries == nil {
			return fmt.Errorf("%s is a map: {'key': 'value', …}", name)
		}
		return judge(v.entries)
	}
	if v.entries != nil {
		if texts[name] || truths[name] || name == "id" || isNumber(name) {
			return fmt.Errorf("%s is no map", name)
		}
		return nil
	}
	return textForm(name, v.text)
}

func isNumber(name string) bool {
	_, whole := wholeRanges[name]
	_, fraction := fractionRanges[name]
	return whole || fraction
}

func textForm(name, text string) error {
	ok := true
	if _, whole := wholeRanges[name]; whole {
		_, ok = wholeOf(text, 32)
	} else if _, fraction := fractionRanges[name]; fraction {
		_, ok = fractionOf(text)
	} else if truths[name] {
		_, ok = truthOf(text)
	} else if judge := forms[name]; judge != nil {
		return judge(text)
	}
	if !ok {
		return fmt.Errorf("%s cannot be %q", name, text)
	}
	return nil
}

// judge says why the server refuses properties when it comes to a table that they are for.
func (p *parser) judge(given map[string]value, created bool) {
	interval := map[string]int64{"min_index_interval": 128, "max_index_interval": 2048}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		v := given[name]
		switch {
		case name == "id" && !created:
			p.doubt("the id of a table cannot be altered")
		case name == "id" && !tableID.MatchString(v.text):
			p.doubt("%q is no id of a table", v.text)
		case name == "compaction":
			if err := compactionRange(v.entries); err != nil {
				p.doubt("%w", err)
			}
		case defaults[name] == "" && mapForms[name] == nil && name != "id" && name != "extensions":
			p.doubt("there is no property %s of a table", name)
		}
		if n, ok := wholeOf(v.text, 32); ok {
			p.within(name, n)
			if _, is := interval[name]; is {
				interval[name] = n
			}
		}
		if f, ok := fractionOf(v.text); ok {
			p.withinFraction(name, f)
		}
	}
	if least, most := interval["min_index_interval"], interval["max_index_interval"]; least > most {
		p.doubt("min_index_interval is %d and max_index_interval %d, and one that is not given counts as the server's own", least, most)
	}
}

// tableID is what is read as a UUID: five numbers of base 16.
var tableID = regexp.MustCompile(`^(?i:[0-9a-f]{1,12}(?:-[0-9a-f]{1,12}){4})$`)

func (p *parser) within(name string, n int64) {
	if r, ok := wholeRanges[name]; ok && (n < r[0] || n > r[1]) {
		p.doubt("%s is %d, which is not between %d and %d", name, n, r[0], r[1])
	}
}

func (p *parser) withinFraction(name string, f float64) {
	r, ok := fractionRanges[name]
	switch {
	case !ok || name == fpChance && f == -1:
	case f < r[0] || f > r[1] || name == fpChance && f == r[0]:
		p.doubt("%s is %g, which is not between %g and %g", name, f, r[0], r[1])
	}
}

func readRepairForm(s string) error {
	if s = strings.ToUpper(s); s != "NONE" && s != "BLOCKING" {
		return fmt.Errorf("read_repair is 'NONE' or 'BLOCKING', not %q", s)
	}
	return nil
}

func cachingForm(entries map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		v := entries[key]
		all := strings.EqualFold(v, "ALL") || strings.EqualFold(v, "NONE")
		_, whole := wholeOf(v, 32)
		switch {
		case key != "keys" && key != "rows_per_partition":
			return fmt.Errorf("caching has no %q: it has keys and rows_per_partition", key)
		case !all && (key == "keys" || !whole || !digitsOnly(v)):
			return fmt.Errorf("%s of caching cannot be %q", key, v)
		}
	}
	return nil
}
