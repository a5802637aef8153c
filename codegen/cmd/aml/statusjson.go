package main

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate"
)

// folderJSON is the documented form of the first line of aml migrate status -json.
type folderJSON struct {
	Kind     string   `json:"kind"` // folder
	Keyspace string   `json:"keyspace"`
	Folder   string   `json:"folder"`
	Sum      string   `json:"sum"`
	Refused  string   `json:"refused"`
	Others   []string `json:"other_folders"`
	Run      *runJSON `json:"run"`
	Gocqlx   int      `json:"gocqlx_migrations"`
}

// runJSON is a run that has the lock.
type runJSON struct {
	Owner   string  `json:"owner"`
	Expires float64 `json:"lock_expires_seconds"`
}

// fileJSON is the documented form of the status of a migration.
type fileJSON struct {
	Kind    string            `json:"kind"` // file
	File    string            `json:"file"`
	Number  int               `json:"number"`
	State   migrate.FileState `json:"state"`
	Applied int               `json:"applied"`
	Total   int               `json:"statements"`
	At      *time.Time        `json:"at"`
	Reason  string            `json:"reason"`
}

// backfillJSON is the documented form of the status of a backfill.
type backfillJSON struct {
	Kind       string `json:"kind"` // backfill
	File       string `json:"file"`
	Table      string `json:"table"`
	State      string `json:"state"`
	Checkpoint string `json:"checkpoint"`
	Reason     string `json:"reason"`
}

// writeStatusJSON writes a line for the folder, one for each migration and one for each backfill.
func writeStatusJSON(c *cobra.Command, r *migrate.Report) error {
	if err := writeJSON(c, folderStatus(r)); err != nil {
		return err
	}
	if err := writeJSON(c, mapped(r.Files, fileStatus)...); err != nil {
		return err
	}
	return writeJSON(c, mapped(r.Backfills, func(b migrate.BackfillStatus) backfillJSON {
		return backfillJSON{"backfill", b.File, b.Table, backfillState(b), b.Checkpoint, cmp.Or(b.Refused, b.Skipped)}
	})...)
}

func folderStatus(r *migrate.Report) folderJSON {
	out := folderJSON{Kind: "folder", Keyspace: r.Keyspace, Folder: r.Folder, Others: list(r.Others), Gocqlx: r.Gocqlx}
	if r.Sum != nil {
		out.Sum = r.Sum.Error()
	}
	if r.Refused != nil {
		out.Refused = r.Refused.Error()
	}
	if r.Owner != "" {
		out.Run = &runJSON{r.Owner, r.LockExpires.Seconds()}
	}
	return out
}

func fileStatus(f migrate.FileStatus) fileJSON {
	out := fileJSON{Kind: "file", File: f.Name, Number: f.Number, State: f.State, Applied: f.Applied, Total: f.Total, Reason: f.Reason}
	if !f.At.IsZero() {
		at := f.At.UTC()
		out.At = &at
	}
	return out
}
