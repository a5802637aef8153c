package main

import (
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// driftJSON is the documented form of a finding of aml reconcile -json.
type driftJSON struct {
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

func findingOf(d *mapper.Drift) driftJSON {
	return driftJSON{"finding", d.Kind, d.Aggregate, d.Table, d.Key, d.Column, d.Want, d.Have, d.Repaired, d.Reason}
}

// reportJSON is the documented form of the last line of aml reconcile -json.
type reportJSON struct {
	Kind     string                                `json:"kind"` // report
	From     time.Time                             `json:"from"`
	To       time.Time                             `json:"to"`
	Rows     int64                                 `json:"rows"`
	Found    map[string]map[mapper.DriftKind]int64 `json:"found"`
	Findings int64                                 `json:"findings"`
	Repaired int64                                 `json:"repaired"`
	Later    int64                                 `json:"later"`
	Purged   int64                                 `json:"purged"`
	Unproven []string                              `json:"unproven"`
	Clean    bool                                  `json:"clean"`
}

func reportOf(r *mapper.ReconcileReport) reportJSON {
	found := r.Found
	if found == nil {
		found = map[string]map[mapper.DriftKind]int64{}
	}
	return reportJSON{"report", r.From.UTC(), r.To.UTC(), r.Rows, found, r.Total(), r.Repaired, r.Later, r.Purged, list(r.Unproven), r.Clean()}
}

// refillJSON is the documented form of the last line of aml reconcile -refill -json.
type refillJSON struct {
	Kind  string `json:"kind"` // refill
	Table string `json:"table"`
	Root  string `json:"root"`
	Rows  int64  `json:"rows"`
}
