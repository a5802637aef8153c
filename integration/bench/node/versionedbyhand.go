package node

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/account"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/peer"
)

// boundAccount is an account for gocqlx. Was is the version that a save expects.
type boundAccount struct {
	ID        gocql.UUID         `db:"id"`
	Name      string             `db:"name"`
	Email     string             `db:"email"`
	Store     int32              `db:"store"`
	Total     int64              `db:"total"`
	Discount  float64            `db:"discount"`
	Paid      bool               `db:"paid"`
	Signature []byte             `db:"signature"`
	Address   peer.GocqlxAddress `db:"address"`
	Items     []peer.GocqlxItem  `db:"items"`
	Version   int64              `db:"version"`
	Was       int64              `db:"was"`
}

func bound(a *account.Account) *boundAccount {
	b := &boundAccount{ID: a.ID, Name: a.Name, Email: a.Email, Store: a.Store, Total: a.Total, Discount: a.Discount, Paid: a.Paid,
		Signature: a.Signature, Address: peer.GocqlxAddress{Street: a.Address.Street, City: a.Address.City, Zip: a.Address.Zip,
			Latitude: a.Address.Latitude, Longitude: a.Address.Longitude}, Version: 1}
	for _, i := range a.Items {
		b.Items = append(b.Items, peer.GocqlxItem{SKU: i.SKU, Quantity: i.Quantity, Price: i.Price, Note: i.Note})
	}
	return b
}

// The columns that hand-written code writes.
var (
	accountColumns = []string{"id", "name", "email", "store", "total", "discount", "paid", "signature", "address", "items", "version"}
	saveColumns    = append(accountColumns[1:len(accountColumns):len(accountColumns)], "id", "was")
	copyColumns    = []string{"id", "name", "total", "address", "items"}
	lookupColumns  = []string{"email", "id"}
)

// The hand-written statements.
var (
	createAccount = insertStatement("accounts", accountColumns) + " IF NOT EXISTS"
	createMember  = insertStatement("members", accountColumns)
	createIfNew   = createMember + " IF NOT EXISTS"
	claimEmail    = insertStatement("member_emails", lookupColumns) + " IF NOT EXISTS"
	getAccount    = "SELECT " + strings.Join(accountColumns, ", ") + " FROM accounts WHERE id = ?"
	saveAccount   = "UPDATE accounts SET " + strings.Join(accountColumns[1:], " = ?, ") + " = ? WHERE id = ? IF version = ?"
	byEmail       = append([]string{"email"}, copyColumns...)
	byStore       = append([]string{"store"}, copyColumns...)
	accountCopies = []struct {
		cql     string
		columns []string
	}{{insertStatement("accounts_by_email", byEmail), byEmail}, {insertStatement("accounts_by_store", byStore), byStore}}
)

func insertStatement(table string, columns []string) string {
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Repeat("?, ", len(columns)-1) + "?)"
}

// savesByHand is hand-written code whose statements gocqlx binds.
type savesByHand struct{ *Client }

func (g savesByHand) create(a *account.Account) error {
	b := bound(a)
	applied, err := g.session.Query(createAccount, accountColumns).BindStruct(b).ExecCASRelease()
	if err == nil && !applied {
		err = fmt.Errorf("account %s exists", a.ID)
	}
	if err != nil {
		return err
	}
	return g.copies(b)
}

// save writes the next version of an account, and reports whether the row had the version before it.
func (g savesByHand) save(b *boundAccount) (bool, error) {
	b.Was = b.Version
	b.Version = max(b.Was+1, time.Now().UnixMicro())
	return g.session.Query(saveAccount, saveColumns).BindStruct(b).ExecCASRelease()
}

// copies writes the copies of an account as a logged batch, at the version, so that the copies of an earlier version do not overwrite them.
func (g savesByHand) copies(b *boundAccount) error {
	batch := g.session.NewBatch(gocql.LoggedBatch).WithTimestamp(b.Version)
	for _, c := range accountCopies {
		q := g.session.Query(c.cql, c.columns).BindStruct(b)
		if err := q.Err(); err != nil {
			return err
		}
		batch.Query(q.Statement(), q.Values()...)
		q.Release()
	}
	return g.session.ExecuteBatch(batch)
}

func (g savesByHand) change(a *account.Account) measure.Op {
	b := bound(a)
	return func() error {
		b.Total++
		switch applied, err := g.save(b); {
		case err != nil:
			return err
		case !applied:
			return fmt.Errorf("account %s has another version than %d", b.ID, b.Was)
		}
		return g.copies(b)
	}
}

// update reads an account and saves it. It waits before it starts again, as the mapper does. It treats the time-out of a conditional
// statement as a refusal, although the statement may have been applied.
func (g savesByHand) update(a *account.Account) measure.Op {
	return func() error {
		for attempt := 1; ; attempt++ {
			var b boundAccount
			if err := g.session.Query(getAccount, []string{"id"}).Bind(a.ID).GetRelease(&b); err != nil {
				return err
			}
			b.Total++
			applied, err := g.save(&b)
			if _, timeout := errors.AsType[*gocql.RequestErrWriteTimeout](err); err != nil && !timeout {
				return err
			}
			if applied {
				return g.copies(&b)
			}
			time.Sleep(rand.N(time.Millisecond << min(attempt, 7)))
		}
	}
}

func (g savesByHand) claim(next func() *account.Member) measure.Op {
	return func() error {
		b, err := g.claimed(next())
		if err != nil {
			return err
		}
		return g.session.Query(createMember, accountColumns).BindStruct(b).ExecRelease()
	}
}

// claimed inserts the email of a new member into the table of emails.
func (g savesByHand) claimed(m *account.Member) (*boundAccount, error) {
	b := bound(&account.Account{ID: m.ID, Name: m.Name, Email: m.Email, Store: m.Store, Total: m.Total, Discount: m.Discount, Paid: m.Paid,
		Signature: m.Signature, Address: m.Address, Items: m.Items})
	applied, err := g.session.Query(claimEmail, lookupColumns).BindStruct(b).ExecCASRelease()
	if err == nil && !applied {
		err = fmt.Errorf("the email %s is taken", m.Email)
	}
	return b, err
}

// conditionalByHand is hand-written code that does not overwrite a member with the same identifier.
type conditionalByHand struct{ savesByHand }

func (g conditionalByHand) claim(next func() *account.Member) measure.Op {
	return func() error {
		b, err := g.claimed(next())
		if err != nil {
			return err
		}
		applied, err := g.session.Query(createIfNew, accountColumns).BindStruct(b).ExecCASRelease()
		if err == nil && !applied {
			err = fmt.Errorf("member %s exists", b.ID)
		}
		return err
	}
}
