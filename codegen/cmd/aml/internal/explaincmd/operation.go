package explaincmd

import (
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/explain"
)

// operationJSON is the documented form of an operation.
type operationJSON struct {
	Operation   string        `json:"operation"`
	RoundTrips  int           `json:"round_trips"`
	Consistency string        `json:"consistency"`
	Paged       bool          `json:"paged"`
	Each        bool          `json:"each_partition"`
	AllNodes    bool          `json:"all_nodes"`
	ByField     bool          `json:"by_field"`
	EveryField  bool          `json:"every_field"`
	OrInsert    bool          `json:"or_insert"`
	Claims      bool          `json:"claims"`
	Releases    bool          `json:"releases"`
	Requests    []requestJSON `json:"requests"`
	Checks      []requestJSON `json:"checks"`
	After       []requestJSON `json:"after"`
}

func newOperationJSON(o *explain.Operation) operationJSON {
	out := operationJSON{Operation: o.Name, RoundTrips: o.RoundTrips, Paged: o.Paged, Each: o.EachPartition, AllNodes: o.AllNodes, ByField: o.ByField,
		EveryField: o.EveryField, OrInsert: o.OrInsert, Claims: o.Claims, Releases: o.Releases, Requests: jsonline.Map(o.Requests, newRequestJSON),
		Checks: jsonline.Map(o.Checks, newRequestJSON), After: jsonline.Map(o.After, newRequestJSON)}
	if o.LocalOne {
		out.Consistency = "LOCAL_ONE"
	}
	return out
}
