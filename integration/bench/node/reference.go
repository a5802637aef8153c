package node

import (
	"context"
	"fmt"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/invoice"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/mapper"
)

// concurrentInserts is the number of inserts that refer to one target at the same time.
const concurrentInserts = 100

// ReferenceLoads returns the inserts of roots with a checked reference: for each number of operations in flight with a target for each worker, and of many
// workers with one target, whose serial reads contend.
func (c *Client) ReferenceLoads(ctx context.Context, inFlight ...int) (loads []measure.Load, err error) {
	if err := c.create(ctx, invoice.Schema); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	s, err := invoice.Open(ctx, c.session, mapper.Config{})
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	for _, v := range c.inserters(s) {
		for _, n := range inFlight {
			loads = append(loads, measure.Load{Work: "insert", Variant: v.name, InFlight: n, Worker: inserter(s, v.insert, false), Counter: c.frames.n.Load})
		}
		loads = append(loads, measure.Load{Work: "insert, one target", Variant: v.name, InFlight: concurrentInserts, Worker: inserter(s, v.insert, true), Counter: c.frames.n.Load})
	}
	return loads, nil
}

// insertVariant is a way to insert an invoice.
type insertVariant struct {
	name   string
	insert func(*invoice.Invoice) error
}

func (c *Client) inserters(s *invoice.Store) []insertVariant {
	return []insertVariant{
		{"cassaml", func(v *invoice.Invoice) error { return s.Invoices.Insert(context.Background(), v) }},
		{"gocqlx", referencesByHand{c}.insert},
	}
}

// inserter returns the function that returns the operation of each worker: it inserts invoices of one customer.
func inserter(s *invoice.Store, insert func(*invoice.Invoice) error, shared bool) func(i int) (measure.Op, error) {
	var customer gocql.UUID
	return func(i int) (measure.Op, error) {
		if i == 0 || !shared {
			customer = newID()
			if err := s.Customers.Insert(context.Background(), &invoice.Customer{ID: customer, Name: "n"}); err != nil {
				return nil, err
			}
		}
		of := customer
		return repeated(func() error { return insert(&invoice.Invoice{ID: newID(), Customer: of, Cents: 1}) }), nil
	}
}

// referencesByHand is hand-written code of the same protocol, which does not handle requests that fail.
type referencesByHand struct{ *Client }

// The hand-written statements.
const (
	recordInvoice = "INSERT INTO invoices__customer_refs (parent_id, aml_bucket, child_id, aml_ver) VALUES (?, 0, ?, ?) USING TIMESTAMP ?"
	getCustomer   = "SELECT version, aml_deleted FROM customers WHERE id = ?"
	createInvoice = "INSERT INTO invoices (id, customer, cents, version) VALUES (?, ?, ?, ?) IF NOT EXISTS"
	markInvoice   = "INSERT INTO invoices__sync (id, aml_ver) VALUES (?, ?) USING TIMESTAMP ?"
)

func (g referencesByHand) insert(v *invoice.Invoice) error {
	v.Version = time.Now().UnixMicro()
	session := g.session.Session
	if err := session.Query(recordInvoice, v.Customer, v.ID, v.Version, v.Version).Exec(); err != nil {
		return err
	}
	var version int64
	var deleted *bool
	if err := session.Query(getCustomer, v.Customer).Consistency(gocql.Consistency(gocql.Serial)).Scan(&version, &deleted); err != nil {
		return err
	}
	if deleted != nil {
		return fmt.Errorf("customer %s is deleted", v.Customer)
	}
	applied, err := session.Query(createInvoice, v.ID, v.Customer, v.Cents, v.Version).MapScanCAS(map[string]any{})
	if err == nil && !applied {
		err = fmt.Errorf("invoice %s exists", v.ID)
	}
	if err != nil {
		return err
	}
	return session.Query(markInvoice, v.ID, v.Version, v.Version).Exec()
}
