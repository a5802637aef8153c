package reverse

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/model"
)

// goName returns the exported Go name of a CQL name: user_id => UserID. What gives none is named after the word: 1st with
// Column => Column1st.
func goName(cql, word string) string {
	name := model.CamelCase(cql)
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = word + name
	}
	return name
}

// goNames returns each of some CQL names a Go name that is not taken. Those from which the CQL name follows come first, so
// that of user_id and "userID" the former is UserID.
func goNames(cql []string, word string, taken map[string]bool) map[string]string {
	out := map[string]string{}
	for _, follows := range []bool{true, false} {
		for _, n := range cql {
			if g := goName(n, word); follows == (model.SnakeCase(g) == n) {
				out[n] = unique(g, taken)
			}
		}
	}
	return out
}

// unique takes a name, with a number where it is taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = name + strconv.Itoa(i)
	}
	taken[out] = true
	return out
}

// reserve takes the names that a generated store declares beside those of the model.
func reserve(tables []string) map[string]bool {
	taken := map[string]bool{"Store": true, "Open": true, "OpenOn": true}
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
