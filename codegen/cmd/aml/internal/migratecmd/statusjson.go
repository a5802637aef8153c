package migratecmd

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/migrate"
)

// FolderJSON is the documented form of the first line of aml migrate status -json.
type FolderJSON struct {
	Kind     string   `json:"kind"` // folder
	Keyspace string   `json:"keyspace"`
	Folder   string   `json:"folder"`
	Sum      string   `json:"sum"`
	Refused  string   `json:"refused"`
	Others   []string `json:"other_folders"`
	Run      *RunJSON `json:"run"`
	Gocqlx   int      `json:"gocqlx_migrations"`
}

// RunJSON is a run that has the lock.
type RunJSON struct {
	Owner   string  `json:"owner"`
	Expires float64 `json:"lock_expires_seconds"`
}

// FileJSON is the documented form of the status of a migration.
type FileJSON struct {
	Kind    string            `json:"kind"` // file
	File    string            `json:"file"`
	Number  int               `json:"number"`
	State   migrate.FileState `json:"state"`
	Applied int               `json:"applied"`
	Total   int               `json:"statements"`
	At      *time.Time        `json:"at"`
	Reason  string            `json:"reason"`
}

// BackfillJSON is the documented form of the status of a backfill.
type BackfillJSON struct {
	Kind       string `json:"kind"` // backfill
	File       string `json:"file"`
	Table      string `json:"table"`
	State      string `json:"state"`
	Checkpoint string `json:"checkpoint"`
	Reason     string `json:"reason"`
}

// writeStatusJSON writes a line for the folder, one for each migration and one for each backfill.
func writeStatusJSON(c *cobra.Command, r *migrate.Report) error {
	if err := jsonline.Write(c, newFolderJSON(r)); err != nil {
		return err
	}
	if err := jsonline.Write(c, jsonline.Map(r.Files, newFileJSON)...); err != nil {
		return err
	}
	return jsonline.Write(c, jsonline.Map(r.Backfills, func(b migrate.BackfillStatus) BackfillJSON {
		return BackfillJSON{"backfill", b.File, b.Table, backfillState(b), b.Checkpoint, cmp.Or(b.Refused, b.Skipped)}
	})...)
}

func newFolderJSON(r *migrate.Report) FolderJSON {
	out := FolderJSON{Kind: "folder", Keyspace: r.Keyspace, Folder: r.Folder, Others: jsonline.List(r.Others), Gocqlx: r.Gocqlx}
	if r.Sum != nil {
		out.Sum = r.Sum.Error()
	}
	if r.Refused != nil {
		out.Refused = r.Refused.Error()
	}
	if r.Owner != "" {
		out.Run = &RunJSON{r.Owner, r.LockExpires.Seconds()}
	}
	return out
}

func newFileJSON(f migrate.FileStatus) FileJSON {
	out := FileJSON{Kind: "file", File: f.Name, Number: f.Number, State: f.State, Applied: f.Applied, Total: f.Total, Reason: f.Reason}
	if !f.At.IsZero() {
		at := f.At.UTC()
		out.At = &at
	}
	return out
}

// backfillState returns the name of the state of a backfill.
func backfillState(b migrate.BackfillStatus) string {
	switch {
	case b.Done:
		return "done"
	case b.Skipped != "":
		return "skipped"
	}
	return "open"
}
