package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// On a node, a save that is refused for one value gives back the others, whose next owner does not wait. A claim is as old as the server's
// write time of it, so a call that is shorter than the lease takes over the value of a client that has died.
func TestClaimsOnANode(t *testing.T) {
	t.Parallel()
	session := storetest.IndexedTables(t, hotel.Schema)
	requests := &storetest.Requests{}
	s, err := hotel.Open(t.Context(), session, mapper.Config{Tracer: requests, Lease: 9 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	ctx := t.Context()
	signUp := func(id int32, email, phone string) error {
		g := guest(id, "Ana")
		g.Email, g.Phone = &email, phone
		return s.Guests.Insert(ctx, g)
	}
	require.NoError(t, signUp(1, "first", "taken"))
	for id := range int32(3) {
		_, duplicate := errors.AsType[*mapper.DuplicateError](signUp(2+id, "new", "taken"))
		require.True(t, duplicate)
	}
	requests.Drain()
	require.NoError(t, signUp(9, "new", "free"))
	for _, q := range requests.Drain() {
		require.NotContains(t, q.Statements[0].CQL, "WRITETIME(", "no claim is in flight")
	}
	at := time.Now().Add(-time.Minute).UnixMicro()
	require.NoError(t, session.ExecStmt(fmt.Sprintf("INSERT INTO guests__email_unique (email, aml_owner_id, aml_at, aml_floor) VALUES ('dead', 77, 0, 0) USING TIMESTAMP %d", at)))
	short := s.With(mapper.Options{Timeout: 8 * time.Second})
	g := guest(10, "Bia")
	g.Email = new("dead")
	require.NoError(t, short.Guests.Insert(ctx, g))
	found, err := s.Guests.GetByEmail(ctx, "dead")
	require.NoError(t, err)
	require.Equal(t, int32(10), found.ID)
}

// A save whose time has ended sends nothing for its unique values, and a tracer gets no request for them: there can be thousands.
func TestEndedSavesSendNothingForTheirValues(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	backend := memory.New(memory.Config{})
	s, err := hotel.OpenBackend(t.Context(), backend, mapper.Config{Tracer: sent, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	g := guest(1, "Ana")
	g.Phone, g.Tags = "phone", []string{"a", "b", "c"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Guests.Insert(ctx, g), context.Canceled)
	require.Empty(t, sent.Drain())

	require.NoError(t, s.Guests.Insert(t.Context(), g))
	ctx, cancel = context.WithCancel(t.Context())
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional && slices.Contains(r.Tables, "guests") {
			sent.Drain()
			cancel()
		}
		return memory.Done
	})
	require.NoError(t, s.Guests.Delete(ctx, 1))
	for _, q := range sent.Drain() {
		require.NotContains(t, q.Statements[0].Table, "_unique")
	}
}

// A save that cannot release many unique values is reported once, with their number and without the values.
func TestUnreleasedValuesAreReportedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	backend := memory.New(memory.Config{})
	s, err := hotel.OpenBackend(t.Context(), backend, mapper.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	g := guest(1, "Ana")
	g.Phone = "secret"
	for i := range 5 {
		g.Cards = append(g.Cards, hotel.Card{Number: fmt.Sprint("card", i)})
	}
	require.NoError(t, s.Guests.Insert(t.Context(), g))
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional && slices.ContainsFunc(r.Tables, func(name string) bool { return strings.HasSuffix(name, "_unique") }) {
			return memory.Refused
		}
		return memory.Done
	})
	require.NoError(t, s.Guests.Delete(t.Context(), 1))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 1)
	require.Contains(t, lines[0], "unique values are not released yet")
	require.Contains(t, lines[0], " values=6 ")
	require.NotContains(t, lines[0], "secret")
}
