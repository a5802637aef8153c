package store

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
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
