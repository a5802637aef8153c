package migrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// CheckContained reports, each as a *[SyntaxError], the statements of files that may reach beyond the keyspace of a session:
// those that name a keyspace, and those that change keyspaces, roles or permissions. A folder without any can be tried in
// a keyspace of its own beside the real one. A directive that calls a function is no statement.
func CheckContained(files []File) error {
	var faults []error
	for _, f := range files {
		for _, s := range f.Statements {
			why := ""
			if s.Func == "" {
				why = reaches(lex.Words(s.Text))
			}
			if why != "" {
				e := syntaxError(f.Text, s.Offset, why)
				e.File = f.Name
				faults = append(faults, e)
			}
		}
	}
	return errors.Join(faults...)
}

// within are the words behind CREATE, ALTER and DROP for what a keyspace holds.
var within = []string{"TABLE", "COLUMNFAMILY", "TYPE", "INDEX", "CUSTOM", "MATERIALIZED", "FUNCTION", "AGGREGATE", "TRIGGER"}

// reaches returns why a statement may have an effect outside its keyspace; "" is none.
func reaches(words []lex.Word) string {
	verb, object := wordAt(words, 0), wordAt(words, 1)
	if object == "OR" { // CREATE OR REPLACE
		object = wordAt(words, 3)
	}
	switch verb {
	case "CREATE", "ALTER", "DROP":
		if !slices.Contains(within, object) {
			return fmt.Sprintf("%s %s changes more than the keyspace that it runs in; do that outside of migrations", verb, object)
		}
		return qualified(words, nil)
	case "TRUNCATE":
		return qualified(words, nil)
	case "INSERT", "UPDATE", "DELETE", "SELECT", "BEGIN":
		return qualified(words, []string{"INTO", "UPDATE", "FROM"})
	}
	return fmt.Sprintf("%s may change more than the keyspace that it runs in; do that outside of migrations", verb)
}

func wordAt(words []lex.Word, i int) string {
	if i >= len(words) {
		return ""
	}
	return words[i].Upper
}

// qualified returns which name of a statement is keyspace.name; "" is none. Where fields of user-defined types can stand, a
// name is one only directly behind some words.
func qualified(words []lex.Word, behind []string) string {
	for i := 1; i+1 < len(words); i++ {
		if !words[i].Is(".") || !isName(words[i-1]) || !isName(words[i+1]) {
			continue
		}
		if behind == nil || slices.Contains(behind, wordAt(words, i-2)) {
			return fmt.Sprintf("%s.%s names a keyspace; leave it to the session, which the statement then runs in", words[i-1].Text, words[i+1].Text)
		}
	}
	return ""
}

func isName(w lex.Word) bool {
	return w.Kind == lex.WordToken || w.Kind == lex.Quoted && strings.HasPrefix(w.Text, `"`)
}
