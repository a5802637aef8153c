package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// leaseColumns returns the columns that a statement of a root whose rows expire writes, beyond the key, in their order.
func leaseColumns(t *testing.T, cql string) []string {
	t.Helper()
	if _, rest, is := strings.Cut(cql, " ("); is && strings.HasPrefix(cql, "INSERT") {
		names, _, _ := strings.Cut(rest, ")")
		return strings.Split(names, ", ")[1:] // without the key
	}
	_, rest, _ := strings.Cut(cql, " SET ")
	set, _, found := strings.Cut(rest, " WHERE ")
	require.True(t, found, cql)
	var out []string
	for assignment := range strings.SplitSeq(set, ", ") {
		name, _, _ := strings.Cut(assignment, " = ")
		if !slices.Contains(out, name) { // Change adds entries to aml_pending and removes others
			out = append(out, name)
		}
	}
	return out
}

// checkLeaseWrite requires that a conditional write has two TTLs: one of the columns without which a late statement could be applied, and one of
// the values and of aml_live. A statement for a row that is neither deleted nor expired requires aml_live.
func checkLeaseWrite(t *testing.T, op string, r *explain.Request, kept, values []string) {
	t.Helper()
	var conditional, plain int
	for _, s := range slices.Concat(r.Writes[0].Statements, r.Writes[1].Statements) {
		require.Equal(t, 1, strings.Count(s.CQL, "USING TTL ?"), "%s: %s", op, s.CQL)
		if !strings.Contains(s.CQL, " IF ") {
			plain++
			require.Equal(t, values, leaseColumns(t, s.CQL), "%s: %s", op, s.CQL)
			require.True(t, strings.HasPrefix(s.CQL, "UPDATE "), "%s: %s", op, s.CQL)
			continue
		}
		conditional++
		require.Equal(t, kept, leaseColumns(t, s.CQL), "%s: %s", op, s.CQL)
		dead := strings.Contains(s.If+r.If, "deleted")
		switch {
		case strings.HasPrefix(s.CQL, "INSERT "):
			require.True(t, strings.HasSuffix(s.CQL, " IF NOT EXISTS USING TTL ?"), "%s: %s", op, s.CQL)
		case dead:
			require.True(t, strings.HasSuffix(s.CQL, " IF version = ?"), "%s: a row without aml_live: %s", op, s.CQL)
		default:
			require.True(t, strings.HasSuffix(s.CQL, " IF version = ? AND aml_live = ?"), "%s: %s", op, s.CQL)
		}
	}
	require.Positive(t, conditional, op)
	require.Equal(t, 1, plain, op)
}

// Each conditional request that is explained for a lease writes two TTLs, each to its columns, and has the condition that the row has not
// expired. Each read returns aml_live.
func TestExplainedStatementsOfLeases(t *testing.T) {
	t.Parallel()
	for table, columns := range map[string]struct{ kept, values []string }{
		"locks":    {[]string{"version", "aml_attempts", "aml_deleted"}, []string{"name", "aml_live"}},
		"sessions": {[]string{"version", "aml_pending", "aml_attempts", "aml_deleted"}, []string{"name", "worker", "notes", "aml_live"}},
	} {
		var checked []string
		for _, o := range explained(t, "../models/lease", table).Operations {
			for _, r := range o.Requests {
				switch {
				case r.Read && strings.Contains(r.Writes[0].Statements[0].CQL, " FROM "+table+" "):
					require.Contains(t, r.Writes[0].Statements[0].CQL, "aml_live", o.Name)
				case r.Conditional:
					kept := columns.kept
					if o.Name == "Change" && table == "sessions" {
						kept = []string{"version", "aml_attempts", "aml_deleted", "aml_pending"}
					}
					checkLeaseWrite(t, o.Name, r, kept, columns.values)
					if !slices.Contains(checked, o.Name) {
						checked = append(checked, o.Name)
					}
				}
			}
		}
		require.Equal(t, []string{"Insert", "InsertOrGet", "Put", "Upsert", "Update", "Change", "Delete", "DeleteAt"}, checked, table)
	}
}

// Each operation of a lease sends what is explained, and leaves its two TTLs in the row: of aml_live and the values, and of the version and the
// hidden columns.
func TestExplainLeases(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, lease.Schema)
	sent := &storetest.Requests{}
	const ttl, grace = 1000, 864000
	s, err := lease.Open(ctx, session, mapper.Config{Tracer: sent, TTL: map[string]time.Duration{"lock": ttl * time.Second}})
	require.NoError(t, err)
	x := explained(t, "../models/lease", "locks")
	call := func(op string, exists bool, do func() error) {
		sent.Drain()
		require.NoError(t, do(), op)
		for _, q := range sent.Drain() {
			require.True(t, explainedIn(operation(t, x, op).Requests, q), "%s sends what is not explained: %+v", op, q)
		}
		var live, name, version, attempts, deleted *int
		require.NoError(t, session.Query("SELECT TTL(aml_live), TTL(name), TTL(version), TTL(aml_attempts), TTL(aml_deleted) FROM locks WHERE id = 1", nil).
			Scan(&live, &name, &version, &attempts, &deleted))
		for column, left := range map[string]*int{"version": version, "aml_attempts": attempts} {
			require.NotNil(t, left, "%s: %s", op, column)
			require.InDelta(t, ttl+grace, *left, 100, "%s: %s", op, column)
		}
		if !exists {
			require.Nil(t, live, op)
			require.Nil(t, name, op)
			require.InDelta(t, ttl+grace, *deleted, 100, op)
			return
		}
		require.Nil(t, deleted, op)
		for column, left := range map[string]*int{"aml_live": live, "name": name} {
			require.NotNil(t, left, "%s: %s", op, column)
			require.InDelta(t, ttl, *left, 100, "%s: %s", op, column)
		}
	}
	v := &lease.Lock{ID: 1, Name: "a"}
	call("Insert", true, func() error { return s.Locks.Insert(ctx, v) })
	call("Update", true, func() error {
		v, err = s.Locks.Update(ctx, 1, func(v *lease.Lock) error { v.Name = "b"; return nil })
		return err
	})
	call("Put", true, func() error { return s.Locks.Put(ctx, v) })
	call("Change", true, func() error {
		old := *v
		v.Name = "c"
		return s.Locks.Change(ctx, &old, v)
	})
	call("DeleteAt", false, func() error { return s.Locks.DeleteAt(ctx, 1, v.Version) })
	call("InsertOrGet", true, func() error { _, err := s.Locks.InsertOrGet(ctx, v); return err })
	call("Delete", false, func() error { return s.Locks.Delete(ctx, 1) })
	call("Upsert", true, func() error {
		_, err := s.Locks.Upsert(ctx, 1, func(v *lease.Lock, _ bool) error { v.Name = "d"; return nil })
		return err
	})
	call("Delete", false, func() error { return s.Locks.Delete(ctx, 1) })
	call("Insert", true, func() error { return s.Locks.Insert(ctx, v) })
	call("Delete", false, func() error { return s.Locks.Delete(ctx, 1) })
	call("Put", true, func() error { return s.Locks.Put(ctx, &lease.Lock{ID: 1, Name: "e"}) })
}
