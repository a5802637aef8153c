package effect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// canonicalID returns an id in the form of system_schema.
func canonicalID(text string) string {
	id, err := uuid.Parse(text)
	if err != nil {
		return text
	}
	return id.String()
}

// CreatedTable returns the table that a statement creates.
func CreatedTable(statement, keyspace string) (ks, table string, ok bool) {
	s, _ := ddl.Parse(statement) // the name is enough, even if the rest cannot be read
	create, ok := s.(*ddl.CreateTable)
	if !ok || create.Name == "" {
		return "", "", false
	}
	return cmp.Or(create.Keyspace, keyspace), create.Name, true
}

// InsertID adds the property ID to a CREATE TABLE without it.
func InsertID(statement string, id uuid.UUID) string {
	s, _ := ddl.Parse(statement)
	create, ok := s.(*ddl.CreateTable)
	if !ok || create.Closing == 0 || hasID(statement[create.Closing:]) {
		return statement
	}
	property := fmt.Sprintf(" WITH ID = %s", id)
	if create.With == 0 {
		return statement[:create.Closing] + property + statement[create.Closing:]
	}
	return statement[:create.With] + strings.TrimPrefix(property, " WITH") + " AND" + statement[create.With:]
}

// hasID reports whether properties, which may not be readable, contain an id.
func hasID(properties string) bool {
	words := lex.Words(properties)
	return slices.ContainsFunc(words, func(w lex.Word) bool { return w.Is("ID") })
}
