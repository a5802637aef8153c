package reverse

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/model"
)

// goName returns the exported Go name of a CQL name: user_id => UserID. A name that cannot be exported gets the word as a prefix:
// 1st with Column => Column1st.
func goName(cql, word string) string {
	name := model.CamelCase(cql)
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = word + name
	}
	return name
}

// goNames returns a free Go name for each CQL name. CQL names that can be derived from their Go name have priority, so that UserID
// is the name of user_id and not of "userID".
func goNames(cql []string, word string, taken map[string]bool) map[string]string {
	out := map[string]string{}
	for _, derived := range []bool{true, false} {
		for _, n := range cql {
			if g := goName(n, word); derived == (model.SnakeCase(g) == n) {
				out[n] = unique(g, taken)
			}
		}
	}
	return out
}

// unique returns a free name, with a number if the name is taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = name + strconv.Itoa(i)
	}
	taken[out] = true
	return out
}

// reserve returns the names that a generated store declares in addition to the names of the model.
func reserve(tables []string) map[string]bool {
	taken := map[string]bool{"Store": true, "Open": true, "OpenBackend": true}
	for _, t := range tables {
		for _, suffix := range []string{"Table", "Metadata", "Delta"} {
			taken[model.CamelCase(t)+suffix] = true
		}
	}
	return taken
}

// PackageName returns the name of a Go package for a keyspace: Shop_2 => shop2, 2fa => k2fa.
func PackageName(keyspace string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(keyspace))
	if !token.IsIdentifier(name) {
		name = "k" + name
	}
	return name
}
