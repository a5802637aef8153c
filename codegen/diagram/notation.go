package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Notation is a way to draw a model.
type Notation string

// The notations.
const (
	AML             Notation = "aml"
	AMLMembers      Notation = "aml-members"
	Chebotko        Notation = "chebotko"
	ChebotkoLogical Notation = "chebotko-logical"
	Mermaid         Notation = "mermaid"
	MermaidClass    Notation = "mermaid-class"
	MermaidER       Notation = "mermaid-er"
)

// Notations are all notations.
var Notations = []Notation{AML, AMLMembers, Chebotko, ChebotkoLogical, Mermaid, MermaidClass, MermaidER}

// Description returns one line about the notation.
func (n Notation) Description() string {
	return map[Notation]string{
		AML:             "aggregates as packages around their members",
		AMLMembers:      "the same without packages: members have names such as customers::Vehicle",
		Chebotko:        "tables with columns and CQL types, and the queries that they answer",
		ChebotkoLogical: "the same without the types",
		Mermaid:         "Markdown that GitHub draws: a class diagram, and an entity relationship diagram of the tables",
		MermaidClass:    "only the class diagram",
		MermaidER:       "only the entity relationship diagram",
	}[n]
}

// IsText reports whether a notation is text, which package mermaid writes, and not a picture.
func (n Notation) IsText() bool { return n == Mermaid || n == MermaidClass || n == MermaidER }

// HasAggregates reports whether a notation draws aggregates: all of them, and not only tables.
func (n Notation) HasAggregates() bool {
	return n == AML || n == AMLMembers || n == MermaidClass || n == Mermaid
}

// ParseNotation returns the notation with a name, or an error with the name that was probably meant.
func ParseNotation(name string) (Notation, error) {
	if n := Notation(name); slices.Contains(Notations, n) {
		return n, nil
	}
	names := make([]string, len(Notations))
	for i, n := range Notations {
		names[i] = string(n)
	}
	return "", fmt.Errorf("unknown notation %q: the notations are %s%s", PlainText(name), strings.Join(names, ", "), meant(name, names))
}

// meant returns the end of an error, with the name that was probably meant; "" if no name is similar.
func meant(name string, in []string) string {
	if n := model.Nearest(name, in); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}
