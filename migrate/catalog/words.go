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

// reservedWord reports whether a word is a name in quotes alone.
func reservedWord(w string) bool { return strings.HasPrefix(model.Quote(strings.ToLower(w)), `"`) }

// notTypes are words that are names, but not of types, without quotes.
var notTypes = setOf("byte complex enum interval macaddr bitstring cast count distinct json maxwritetime ttl writetime")
