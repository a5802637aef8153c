package alternativescmd

import (
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
)

// alternativeJSON is the documented form of a design.
type alternativeJSON struct {
	Kind         string          `json:"kind"` // alternative
	Relationship string          `json:"relationship"`
	Form         string          `json:"form"`
	Design       string          `json:"design"`
	About        string          `json:"about"`
	Many         bool            `json:"many_to_many"`
	Versioned    bool            `json:"versioned"`
	Refused      string          `json:"refused"`
	NotExecuted  string          `json:"not_executed"`
	Elements     int             `json:"elements"`
	Operations   []operationJSON `json:"operations"`
	Overlaps     []string        `json:"overlaps"`
	Again        []string        `json:"write_again"`
	Largest      partitionJSON   `json:"largest_partition"`
	Storage      int64           `json:"storage"`
	Diff         string          `json:"diff"`
	CQL          string          `json:"cql"`
}

// operationJSON is the documented form of the cost of an operation.
type operationJSON struct {
	Operation   string `json:"operation"`
	Refused     string `json:"refused"`
	Requests    int    `json:"requests"`
	Conditional int    `json:"conditional"`
	Statements  int    `json:"statements"`
	Partitions  int    `json:"partitions"`
	Bytes       int64  `json:"bytes"`
}

// partitionJSON is the documented form of the size of a partition.
type partitionJSON struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

func newJSON(l *alternatives.Listing, a *alternatives.Alternative) alternativeJSON {
	out := alternativeJSON{Kind: "alternative", Relationship: l.Name, Form: string(l.Form), Design: a.Name, About: a.About, Many: a.ManyToMany, Versioned: a.Versioned,
		Refused: a.Refused, NotExecuted: a.NoStore, Elements: l.Elements, Operations: []operationJSON{}, Overlaps: jsonline.List(a.Overlaps), Again: jsonline.List(a.Again),
		Largest: partitionJSON{a.Largest.Table, a.Largest.Rows, a.Largest.Bytes}, Storage: a.Storage, Diff: a.Diff, CQL: a.CQL}
	if a.Refused != "" {
		return out
	}
	for _, o := range alternatives.Operations() {
		line := operationJSON{Operation: string(o), Refused: a.No[o]}
		if c := a.Costs[o]; c != nil {
			line.Requests, line.Conditional, line.Statements, line.Partitions, line.Bytes = c.Requests, c.Conditional, c.Statements, c.Partitions, c.Bytes
		}
		out.Operations = append(out.Operations, line)
	}
	return out
}
