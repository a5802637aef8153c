package catalog

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// keywords are the words of CQL, its types aside, that are names, too, without quotes. They alone stand for a text where a
// property has its value.
var keywords = setOf(`access aggregate aggregates all ann as called cast cidrs cluster clustering compact contains count custom
	datacenters default distinct exists filtering finalfunc frozen function functions group hashed identity initcond input
	internals json key keys keyspaces language like list login map masked maxwritetime mbean mbeans nologin nosuperuser only
	options partition password per permission permissions replace returns role roles select_masked sfunc static storage stype
	superuser superusers tables trigger ttl tuple type types unmask unset user users values vector writetime`)

// reservedWord reports whether a word is a name in quotes alone.
func reservedWord(w string) bool { return strings.HasPrefix(model.Quote(strings.ToLower(w)), `"`) }

// notTypes are words that are names, but not of types, without quotes.
var notTypes = setOf("byte complex enum interval macaddr bitstring cast count distinct json maxwritetime ttl writetime")
