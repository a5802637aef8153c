package reconcilecmd

import (
	"time"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/mapper"
)

// FindingJSON is the documented form of a finding of aml reconcile -json.
type FindingJSON struct {
	Kind      string           `json:"kind"` // finding
	Drift     mapper.DriftKind `json:"drift"`
	Aggregate string           `json:"aggregate"`
	Table     string           `json:"table"`
	Key       string           `json:"key"`
	Column    string           `json:"column"`
	Want      string           `json:"want"`
	Have      string           `json:"have"`
	Repaired  bool             `json:"repaired"`
	Reason    string           `json:"reason"`
}

func newFindingJSON(d *mapper.Drift) FindingJSON {
	return FindingJSON{"finding", d.Kind, d.Aggregate, d.Table, d.Key, d.Column, d.Want, d.Have, d.Repaired, d.Reason}
}

// ReportJSON is the documented form of the last line of aml reconcile -json.
type ReportJSON struct {
	Kind        string                                `json:"kind"` // report
	From        time.Time                             `json:"from"`
	To          time.Time                             `json:"to"`
	Rows        int64                                 `json:"rows"`
	Found       map[string]map[mapper.DriftKind]int64 `json:"found"`
	Findings    int64                                 `json:"findings"`
	Repaired    int64                                 `json:"repaired"`
	TooRecent   int64                                 `json:"too_recent"`
	Purged      int64                                 `json:"purged"`
	NotSearched []string                              `json:"not_searched"`
	Clean       bool                                  `json:"clean"`
}

func newReportJSON(r *mapper.ReconcileReport) ReportJSON {
	found := r.Found
	if found == nil {
		found = map[string]map[mapper.DriftKind]int64{}
	}
	return ReportJSON{"report", r.From.UTC(), r.To.UTC(), r.Rows, found, r.Total(), r.Repaired, r.TooRecent, r.Purged, jsonline.List(r.NotSearched), r.Clean()}
}

// RefillJSON is the documented form of the last line of aml reconcile -refill -json.
type RefillJSON struct {
	Kind  string `json:"kind"` // refill
	Table string `json:"table"`
	Root  string `json:"root"`
	Rows  int64  `json:"rows"`
}
