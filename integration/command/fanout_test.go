package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// Copies that saves have left follow; a root whose copies cannot follow is printed, and its copies follow when they can.
func TestFanOutCommand(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, invoice.Schema)
	s, err := invoice.Open(ctx, session, mapper.Config{FanOutInline: -1})
	require.NoError(t, err)
	require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}))
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	rename := func(name string) {
		_, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = name; return nil })
		require.NoError(t, err)
	}
	rename("b")
	out, errs, code := amlOnServer(t, session, "../models/invoice", "fanout", "-parallel", "2", "-rate", "1000")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "roots served 1, attempts that failed 0\n", out)
	v, err := s.Invoices.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "b", v.PayerName)

	rename("c")
	require.NoError(t, session.ExecStmt("UPDATE customers SET name = null WHERE id = 1"), "without the store")
	out, errs, code = amlOnServer(t, session, "../models/invoice", "fanout")
	require.Equal(t, 1, code)
	require.Equal(t, "roots served 0, attempts that failed 1\n", out)
	require.Contains(t, errs, "mapper: Invoice (invoices id=1): PayerName is required")
	require.NoError(t, session.ExecStmt("UPDATE customers SET name = 'd' WHERE id = 1"))
	out, errs, code = amlOnServer(t, session, "../models/invoice", "fanout")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "roots served 1, attempts that failed 0\n", out)
}
