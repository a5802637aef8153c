package followers

import (
	"context"
	"errors"
	"time"

	"github.com/gocql/gocql"
)

// The statements of FanOut.
const (
	selectHolders  = "SELECT target_id, aml_bucket, holder_id, aml_ver FROM invoices__payer_holders WHERE target_id = ? AND aml_bucket = ?"
	selectInvoice  = "SELECT id, payer, payer_name, version, aml_pending, aml_attempts, aml_deleted, aml_payer_ver FROM invoices WHERE id = ?"
	selectCustomer = "SELECT id, name, version, aml_attempts, aml_deleted, aml_outbox FROM customers WHERE id = ?"
	updateInvoice  = "UPDATE invoices SET payer = ?, payer_name = ?, version = ?, aml_pending = ?, aml_attempts = ?, aml_deleted = ?, aml_payer_ver = ? WHERE id = ? IF version = ?"
	insertSync     = "INSERT INTO invoices__sync (id, aml_ver) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?"
	clearOutbox    = "UPDATE customers SET aml_outbox = null WHERE id = ? IF aml_outbox = ?"
	emptyOutboxes  = "TRUNCATE aml_outboxes"
)

// byHand lets all invoices follow by code without a mapper.
func byHand(ctx context.Context, s *Store, name string) (time.Duration, error) {
	target, err := rename(ctx, s, name)
	if err != nil {
		return 0, err
	}
	session := s.Session().Session
	began := time.Now()
	err = inParallel(buckets, buckets, func(bucket int) error { return followBucket(ctx, session, bucket, target.Version) })
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	applied, err := session.Query(clearOutbox, customer, target.Version).WithContext(ctx).SerialConsistency(gocql.Serial).ScanCAS(new(int64))
	if err == nil && !applied {
		err = errors.New("the outbox of the customer was changed")
	}
	return took, errors.Join(err, session.Query(emptyOutboxes).WithContext(ctx).Exec())
}

// followBucket saves the invoices of a bucket whose copies are older than a version.
func followBucket(ctx context.Context, session *gocql.Session, bucket int, version int64) error {
	rows := session.Query(selectHolders, customer, bucket).WithContext(ctx).Consistency(gocql.Quorum).Iter()
	numbers := make(chan int)
	read := make(chan error, 1)
	go func() {
		defer close(numbers)
		var of, in, id int
		var at int64
		for rows.Scan(&of, &in, &id, &at) {
			numbers <- id
		}
		read <- rows.Close()
	}()
	errs := make(chan error, inFlight)
	for range inFlight {
		go func() {
			var failed error
			for id := range numbers {
				for again := failed == nil; again; again = timedOut(failed) {
					failed = follow(ctx, session, id, version)
				}
			}
			errs <- failed
		}()
	}
	var failed error
	for range inFlight {
		failed = errors.Join(failed, <-errs)
	}
	return errors.Join(failed, <-read)
}

// timedOut reports whether an error says that nodes have not answered in time, as those of one machine do while they read one customer. Then the
// invoice is read again, because it may have been saved.
func timedOut(err error) bool {
	var read *gocql.RequestErrReadTimeout
	var write *gocql.RequestErrWriteTimeout
	var unknown *gocql.RequestErrCASWriteUnknown
	return errors.As(err, &read) || errors.As(err, &write) || errors.As(err, &unknown)
}

// follow saves an invoice whose copy is older than a version of its customer.
func follow(ctx context.Context, session *gocql.Session, id int, version int64) error {
	var payer int
	var name string
	var at, from int64
	var attempts []gocql.UUID
	var deleted bool
	var pending map[string]int64
	err := session.Query(selectInvoice, id).WithContext(ctx).Consistency(gocql.Consistency(gocql.Serial)).Scan(&id, &payer, &name, &at, &pending, &attempts, &deleted, &from)
	if err != nil || from >= version {
		return err
	}
	var outbox, current int64
	var of []gocql.UUID
	err = session.Query(selectCustomer, payer).WithContext(ctx).Consistency(gocql.Consistency(gocql.Serial)).Scan(&payer, &name, &current, &of, &deleted, &outbox)
	if err != nil {
		return err
	}
	attempt, err := gocql.RandomUUID()
	if err != nil {
		return err
	}
	attempts = append(attempts[max(0, len(attempts)-15):], attempt)
	next := max(at+2, time.Now().UnixMicro())
	applied, err := session.Query(updateInvoice, payer, name, next, pending, attempts, nil, current, id, at).WithContext(ctx).
		Consistency(gocql.LocalQuorum).SerialConsistency(gocql.Serial).ScanCAS(new(int64))
	switch {
	case err != nil:
		return err
	case !applied:
		return errors.New("an invoice was changed")
	}
	return session.Query(insertSync, id, next, next, 0).WithContext(ctx).Consistency(gocql.LocalQuorum).Exec()
}
