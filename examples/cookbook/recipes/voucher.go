package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// The reasons why Redeem refuses a voucher.
var (
	ErrRedeemed = errors.New("you have redeemed this voucher")
	ErrUsedUp   = errors.New("the voucher is used up")
	ErrExpired  = errors.New("the voucher has expired")
)

// Redeem redeems a voucher for an order of a user, at the time of the order. It can be repeated with the same arguments, also after an error: it redeems
// the voucher once.
func Redeem(ctx context.Context, s *Store, code string, user, order gocql.UUID, now time.Time) error {
	_, err := s.Vouchers.Update(ctx, code, func(v *Voucher, p *VoucherParts) error {
		r, err := p.Redemption.Get(user)
		switch {
		case err == nil && r.Order == order:
			return nil // an earlier call has redeemed it for this order
		case err == nil:
			return ErrRedeemed
		case !errors.Is(err, mapper.ErrNotFound):
			return err
		case v.Left <= 0:
			return ErrUsedUp
		case now.After(v.Until):
			return ErrExpired
		}
		v.Left--
		p.Redemption.Insert(&Redemption{Code: code, User: user, Order: order})
		return nil
	})
	return err
}

func voucher(ctx context.Context, s *Store, out io.Writer) error {
	now := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
	if err := s.Vouchers.Insert(ctx, &Voucher{Code: "SPRING", Left: 3, Until: now.AddDate(0, 0, 1)}); err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, 12)
	for i := range errs {
		wg.Go(func() { errs[i] = Redeem(ctx, s, "SPRING", number(byte(i)), number(byte(100+i)), now) })
	}
	wg.Wait()
	redeemed, winner := 0, byte(0)
	for i, err := range errs {
		switch {
		case err == nil:
			redeemed, winner = redeemed+1, byte(i)
		case !errors.Is(err, ErrUsedUp):
			return err
		}
	}
	fmt.Fprintln(out, "12 users, redeemed by:", redeemed)
	fmt.Fprintln(out, "the same order again:", Redeem(ctx, s, "SPRING", number(winner), number(100+winner), now))
	fmt.Fprintln(out, "another order of the same user:", Redeem(ctx, s, "SPRING", number(winner), number(99), now))
	v, redemptions, err := s.Vouchers.GetWithRedemption(ctx, "SPRING")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d redemptions, %d left\n", len(redemptions), v.Left)
	return nil
}
