package storetest

import (
	"context"
	"iter"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/mapper"
)

// NoSave is the save function of a backfill that stores no checkpoint.
func NoSave(string) error { return nil }

// OpenJobs opens a store of jobs.
func OpenJobs(t *testing.T, session gocqlx.Session, config mapper.Config) *workshop.Store {
	t.Helper()
	store, err := workshop.Open(t.Context(), session, config)
	require.NoError(t, err)
	return store
}

// JobID returns an identifier that ends with a byte.
func JobID(last byte) gocql.UUID {
	return gocql.UUID{0x0f, 0x3c, 0x5d, 0x1e, 0x5a, 0x7b, 0x4c, 0x7d, 0x9e, 0x0f, 15: last}
}

// Date returns the start of a day in UTC.
func Date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Brakes returns a job with a value in every field and in every element.
func Brakes() *workshop.Job {
	return &workshop.Job{
		Site: "Recife", Year: 2026, Opened: time.Date(2026, 3, 1, 9, 30, 0, 125e6, time.UTC), ID: JobID(1),
		Title: "brakes", Due: Date(2026, 3, 9), Hours: 2.5, Budget: inf.NewDec(-12345, 2), Level: new(int32(3)),
		Sketch: []byte{0xca, 0xfe}, Worker: &workshop.Person{Name: "Rui", Phone: new("555"), Born: Date(1969, 7, 20)},
		Place:  workshop.Place{Street: "Rua da Aurora", Door: new(int32(7)), Codes: []string{"a", "b"}},
		Tools:  []workshop.Tool{{Serial: "s1", Bought: Date(2020, 1, 2), Kind: "jack"}, {Serial: "s2", Bought: Date(2021, 1, 2), Kind: "saw"}},
		Parts:  map[string]workshop.Part{"disc": {Maker: "Alfa", Price: new(int64(100))}, "pad": {Maker: "Beta"}},
		Tags:   []string{"night", "urgent"},
		Notes:  []string{"noise", "left", "noise"},
		Shifts: map[string][]int8{"mon": {1, -2}, "tue": {}},
	}
}

// InsertJobs inserts jobs.
func InsertJobs(t *testing.T, store *workshop.Store, jobs ...*workshop.Job) {
	t.Helper()
	for _, j := range jobs {
		require.NoError(t, store.Jobs.Insert(t.Context(), j))
	}
}

// UpdateJob updates the job with the key of j and returns it.
func UpdateJob(t *testing.T, store *workshop.Store, j *workshop.Job, change func(*workshop.Job)) *workshop.Job {
	t.Helper()
	got, err := TryUpdateJob(t.Context(), store, j, change)
	require.NoError(t, err)
	return got
}

// TryUpdateJob updates the job with the key of j.
func TryUpdateJob(ctx context.Context, store *workshop.Store, j *workshop.Job, change func(*workshop.Job)) (*workshop.Job, error) {
	return store.Jobs.Update(ctx, j.Site, j.Year, j.Opened, j.ID, func(j *workshop.Job) error { change(j); return nil })
}

// DeleteJob deletes the job with the key of j.
func DeleteJob(ctx context.Context, store *workshop.Store, j *workshop.Job) error {
	return store.Jobs.Delete(ctx, j.Site, j.Year, j.Opened, j.ID)
}

// GetJob reads the job with the key of j.
func GetJob(ctx context.Context, store *workshop.Store, j *workshop.Job) (*workshop.Job, error) {
	return store.Jobs.Get(ctx, j.Site, j.Year, j.Opened, j.ID)
}

// Changed returns a copy of a job after a change. Pointers of the copy refer to values of the original.
func Changed(j *workshop.Job, change func(*workshop.Job)) *workshop.Job {
	c := *j
	c.Tools, c.Tags, c.Notes = slices.Clone(j.Tools), slices.Clone(j.Tags), slices.Clone(j.Notes)
	c.Parts, c.Shifts = maps.Clone(j.Parts), maps.Clone(j.Shifts)
	if change != nil {
		change(&c)
	}
	return &c
}

// BrakesKey is the key of Brakes in messages.
const BrakesKey = "site='Recife', year=2026, opened=2026-03-01T09:30:00.125Z, id=0f3c5d1e-5a7b-4c7d-9e0f-000000000001"

// TimeUUID is a valid value of the samples' required column.
var TimeUUID = gocql.UUIDFromTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))

// Shelf returns jobs with one title, on three days, at two sites, in two years, two of each.
func Shelf() (jobs []*workshop.Job) {
	for i := range 24 {
		jobs = append(jobs, &workshop.Job{
			Title: "shelf", Opened: Opened(i % 3), Site: []string{"Olinda", "Recife"}[i/3%2], Year: int16(2025 + i/6%2), ID: JobID(byte(i)),
			Due: Date(2026, 1, 1), Place: workshop.Place{Street: "Rua"},
		})
	}
	return jobs
}

// Opened returns one of three days. The middle one is the first day of 1970.
func Opened(n int) time.Time { return Date(1970, 1, n) }

// Failures collects the rows and the error of a sequence: at most one error, after the last row and without a row.
func Failures(t *testing.T, rows iter.Seq2[*workshop.JobByTitle, error]) (n int, failure error) {
	t.Helper()
	for v, err := range rows {
		require.NoError(t, failure, "no element follows an error")
		if failure = err; err != nil {
			require.Nil(t, v)
			continue
		}
		n++
	}
	return n, failure
}
