package folder

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/internal/lex"
)

// maxStatement is the maximum size of a statement in bytes: by default a server refuses larger requests (native_transport_max_frame_size), and
// larger writes.
const maxStatement = 16 << 20

// checkStatements refuses the statements that no migration can have, each with a *SyntaxError.
func (f *File) checkStatements() error {
	var faults []error
	for _, s := range f.Statements {
		if s.Func != "" {
			continue
		}
		if len(s.Text) > maxStatement {
			faults = append(faults, f.syntaxError(s.Offset, fmt.Sprintf("the statement has %d bytes, and no server accepts more than %d by default: "+
				"write several statements", len(s.Text), maxStatement)))
			continue
		}
		words := lex.Words(s.Text)
		why, at := unsupported(s.Verb(), words)
		if why == "" {
			why, at = boundOrReserved(words)
		}
		if why != "" {
			faults = append(faults, f.syntaxError(s.Offset+at, why))
		}
	}
	return errors.Join(faults...)
}

// CheckContent refuses a file without content: after it is recorded as applied, it could not be changed. A file of gocqlx may
// consist only of calls; a misspelled directive has its own error.
func (f *File) CheckContent() error {
	acts := func(d Directive) bool { return d.Verb != allowDirective }
	call := regexp.MustCompile(`(?m)^-- CALL .+;`)
	if len(f.Statements) > 0 || len(f.Misspelt) > 0 || slices.ContainsFunc(f.Directives, acts) || call.MatchString(f.Text) {
		return nil
	}
	return f.syntaxError(0, "the migration has no statement and no directive: write one, or delete the file")
}

func (f *File) syntaxError(offset int, reason string) *SyntaxError {
	e := syntaxError(f.Text, offset, reason)
	e.File = f.Name
	return e
}

// unsupported returns why a statement cannot be part of a migration, and its offset; "" if it can.
func unsupported(verb string, words []lex.Word) (why string, at int) {
	switch verb {
	case "USE":
		// It would move one connection of the session's pool to another keyspace.
		return "USE is not supported in migrations, which run in the keyspace of the session: remove it", 0
	case "SELECT", "DESCRIBE", "DESC", "LIST":
		return verb + " changes nothing, and its rows are not returned: remove it, or read in a function that -- aml:func calls", 0
	case "BEGIN":
		if lex.UpperAt(words, 1) == "TRANSACTION" {
			return "BEGIN TRANSACTION is not supported in migrations: write BEGIN BATCH … APPLY BATCH, or call a function with -- aml:func", 0
		}
	}
	return "", 0
}

// boundOrReserved returns why a statement with a bind marker or a reserved table is refused, and the offset; "" if it has neither.
func boundOrReserved(words []lex.Word) (why string, at int) {
	var open []string // brackets
	for i, w := range words {
		if marker := markerAt(words, i, slices.Equal(open[max(0, len(open)-1):], []string{"{"})); marker != "" {
			return "bind marker " + marker + " has no value: a migration binds no values; write the value instead", w.From
		}
		if name := reservedAt(words, i); name != "" {
			return "table " + name + " is reserved: migrations are recorded in tables whose names begin with aml_, and a migration must not name them", w.From
		}
		switch {
		case w.Is("("), w.Is("["), w.Is("{"):
			open = append(open, w.Text)
		case (w.Is(")") || w.Is("]") || w.Is("}")) && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	return "", 0
}

// markerAt returns the bind marker that begins at a word, ? or :name. Within braces a colon separates a key from its value
// unless it follows another sign; a colon before a digit is part of a duration.
func markerAt(words []lex.Word, i int, inBraces bool) string {
	const signs = "=([{,:+-*/%<>!"
	switch {
	case words[i].Is("?"):
		return "?"
	case !words[i].Is(":") || i+1 >= len(words) || !words[i+1].IsName():
		return ""
	case inBraces && !strings.Contains(signs, words[i-1].Text):
		return ""
	}
	return ":" + words[i+1].Text
}

// reservedPrefix is the prefix of the names of reserved tables.
const reservedPrefix = "aml_"

// reservedAt returns the name of a reserved table that follows a word. The words before a table are reserved words of CQL.
func reservedAt(words []lex.Word, i int) string {
	before := []string{"INTO", "UPDATE", "FROM", "ON", "TABLE", "COLUMNFAMILY", "VIEW", "TRUNCATE"}
	if !slices.Contains(before, words[i].Upper) {
		return ""
	}
	r := &lex.Reader{Words: words, At: i + 1}
	_ = r.Accept("IF", "NOT", "EXISTS") || r.Accept("IF", "EXISTS")
	if _, name := r.Qualified(""); !r.Failed && strings.HasPrefix(name, reservedPrefix) && name != descriptor.Outboxes {
		return name
	}
	return ""
}

// CheckContained refuses, each with a *[SyntaxError], the statements of files that may affect more than the keyspace of a session:
// those with a keyspace name, and those that change keyspaces, roles or permissions. Without these, a folder can be applied in a
// temporary keyspace of the same cluster. A call of a function is not checked.
func CheckContained(files []File) error {
	var faults []error
	for _, f := range files {
		for _, s := range f.Statements {
			why := ""
			if s.Func == "" {
				why = uncontained(lex.Words(s.Text))
			}
			if why != "" {
				faults = append(faults, f.syntaxError(s.Offset, why))
			}
		}
	}
	return errors.Join(faults...)
}

// contained are the words after CREATE, ALTER and DROP for objects of a keyspace.
var contained = []string{"TABLE", "COLUMNFAMILY", "TYPE", "INDEX", "CUSTOM", "MATERIALIZED", "FUNCTION", "AGGREGATE", "TRIGGER"}

// uncontained returns why a statement may have an effect outside its keyspace; "" if it has none.
func uncontained(words []lex.Word) string {
	verb, object := lex.UpperAt(words, 0), lex.UpperAt(words, 1)
	if object == "OR" { // CREATE OR REPLACE
		object = lex.UpperAt(words, 3)
	}
	switch verb {
	case "CREATE", "ALTER", "DROP":
		if !slices.Contains(contained, object) {
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

// qualified returns why a statement with a name keyspace.name is refused; "" if it has none. In a statement that can contain fields
// of user-defined types, such a name follows one of some words; after is nil in any other.
func qualified(words []lex.Word, after []string) string {
	for i := 1; i+1 < len(words); i++ {
		if !words[i].Is(".") || !words[i-1].IsName() || !words[i+1].IsName() {
			continue
		}
		if after == nil || slices.Contains(after, lex.UpperAt(words, i-2)) {
			return fmt.Sprintf("%s.%s names a keyspace; omit it: the statement runs in the keyspace of the session", words[i-1].Text, words[i+1].Text)
		}
	}
	return ""
}

// Fault returns the error for a misspelling in a file.
func (m Misspelling) Fault(f *File) *SyntaxError {
	e := syntaxError(f.Text, m.Offset, "the comment looks like a directive, but has another form: write "+m.Meant+", or begin the comment with another word")
	e.File = f.Name
	return e
}
