package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// followed opens a store with its own tables, in which invoice 1 has not yet followed the change of its customer's name to "b".
func followed(t *testing.T, config mapper.Config) (*invoice.Store, gocqlx.Session) {
	t.Helper()
	session := storetest.OwnTables(t, invoice.Schema)
	config.FanOutInline, config.Lease = -1, time.Millisecond
	s, err := invoice.Open(t.Context(), session, config)
	require.NoError(t, err)
	insertCustomers(t, s, "a", "a")
	require.NoError(t, s.Invoices.Insert(t.Context(), &invoice.Invoice{ID: 1, Payer: 1}))
	rename(t, s, 1, "b")
	return s, session
}

func listOutbox(t *testing.T, session gocqlx.Session, row string) {
	t.Helper()
	require.NoError(t, session.ExecStmt("INSERT INTO aml_outboxes (shard, source, key, aml_ver) VALUES ("+row+")"))
}

// payer returns the name of the payer of invoice 1.
func payer(t *testing.T, s *invoice.Store) string {
	t.Helper()
	v, err := s.Invoices.Get(t.Context(), 1)
	require.NoError(t, err)
	return v.PayerName
}

// A row of aml_outboxes that no store has written is reported with its key, and does not prevent others from being served.
func TestDamagedOutboxes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, session := followed(t, mapper.Config{})
	const oneCell, twoCells, cut = "0x0000000400000001", "0x00000004000000010000000400000001", "0x00000004000000"
	shard, ofSeller := onlyOutboxShard(t, session), sellerOutboxShard(t, s, session)
	listOutbox(t, session, fmt.Sprint(shard, ", 'absent', ", cut, ", 5"))
	damaged := []string{
		fmt.Sprint(shard, ", 'customers', ", cut, ", 5"), fmt.Sprint(shard, ", 'customers', ", twoCells, ", 5"), fmt.Sprint(shard, ", 'customers', 0x, 5"),
		fmt.Sprint((shard+1)%outboxShards, ", 'customers', ", oneCell, ", 5"), fmt.Sprint(ofSeller, ", 'sellers', ", oneCell, ", null"),
	}
	for _, row := range damaged {
		listOutbox(t, session, row)
	}
	failed := map[string]bool{}
	err := s.FanOut(ctx, mapper.FanOutConfig{Progress: func(p mapper.FanOutProgress) { failed[fmt.Sprint(p.Err)] = true }})
	require.ErrorContains(t, err, "names no row of customers and its version: no store has written it; delete it")
	require.Len(t, failed, len(damaged))
	require.True(t, failed[fmt.Sprintf("the row of aml_outboxes with shard=%d, source='customers', key=%s names no row of customers and its version: no store has written it; delete it", shard, cut)])
	require.Equal(t, "b", payer(t, s))

	var found []mapper.Drift
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) { found = append(found, d) }})
	require.NoError(t, err)
	require.Len(t, found, len(damaged), "each by its root only")
	require.False(t, report.Clean())
	for _, d := range found {
		require.Equal(t, []any{mapper.DriftUnprojectable, "aml_outboxes"}, []any{d.Kind, d.Table})
		require.Contains(t, d.Reason, d.Aggregate+" (aml_outboxes shard=")
	}
}

// onlyOutboxShard returns the shard of the only row of aml_outboxes.
func onlyOutboxShard(t *testing.T, session gocqlx.Session) (shard int) {
	t.Helper()
	iter := session.Session.Query("SELECT shard FROM aml_outboxes").Iter()
	require.Equal(t, 1, iter.NumRows())
	iter.Scan(&shard)
	require.NoError(t, iter.Close())
	return shard
}

// sellerOutboxShard returns the shard of seller 1, whose changes no other root has to follow.
func sellerOutboxShard(t *testing.T, s *invoice.Store, session gocqlx.Session) int {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	_, err := s.Sellers.Update(ctx, 1, func(v *invoice.Seller) error { v.City = new("z"); return nil })
	require.NoError(t, err)
	shard := onlyOutboxShard(t, session)
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	rename(t, s, 1, "a")
	rename(t, s, 1, "b")
	return shard
}

// A row that a copy of the table has written again, with a write time later than its version, is removed like others.
func TestOutboxWithALaterWriteTime(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, session := followed(t, mapper.Config{})
	shard := onlyOutboxShard(t, session)
	copied := func() { listOutbox(t, session, fmt.Sprint(shard, ", 'customers', 0x0000000400000001, 5")) }
	rows := func() int {
		iter := session.Session.Query("SELECT shard FROM aml_outboxes").Iter()
		n := iter.NumRows()
		require.NoError(t, iter.Close())
		return n
	}
	copied()
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	require.Equal(t, "b", payer(t, s))
	require.Zero(t, rows())
	rename(t, s, 1, "c")
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	require.Equal(t, "c", payer(t, s), "no deletion hides the row of a later save")
	require.Zero(t, rows())

	copied()
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}), "its outbox is not set any more")
	require.Zero(t, rows())
	copied()
	rename(t, s, 1, "d")
	reconcileInvoices(t, s, true)
	require.Equal(t, "d", payer(t, s))
	require.Zero(t, rows())
}

func reconcileInvoices(t *testing.T, s *invoice.Store, clean bool) {
	t.Helper()
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4})
	require.NoError(t, err)
	require.True(t, report.Clean())
}

// A run of FanOut with Follow reports that it cannot read the outboxes, logs the error once, and returns it when its context ends.
func TestFanOutReportsThatItCannotRead(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, session := followed(t, mapper.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, session.ExecStmt("DROP TABLE aml_outboxes"))
	require.ErrorContains(t, s.FanOut(t.Context(), mapper.FanOutConfig{}), "aml_outboxes")

	stop := errors.New("the service stops")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := s.FanOut(ctx, mapper.FanOutConfig{Follow: true, Progress: func(p mapper.FanOutProgress) {
		if p.Failed > 2*outboxShards {
			require.ErrorContains(t, p.Err, "aml_outboxes")
			cancel(stop)
		}
	}})
	require.ErrorIs(t, err, stop)
	require.ErrorContains(t, err, "the service stops; roots are left: ")
	require.ErrorContains(t, err, "aml_outboxes")
	require.Equal(t, 1, strings.Count(log.String(), "mapper: fan-out: roots are left for another attempt"), log.String())
}
