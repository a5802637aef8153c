package recipes

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// After a call whose outcome is unknown, the same call redeems the voucher once, also if the first one has used it up, or it has expired meanwhile.
func TestRedeemAfterAnUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, lost := range []memory.Outcome{memory.LostAnswer, memory.LostRequest} {
			ctx, backend := t.Context(), memory.New(memory.Config{})
			s, err := OpenBackend(ctx, backend, mapper.Config{Timeout: 100 * time.Millisecond})
			require.NoError(t, err)
			now := time.Now()
			require.NoError(t, s.Vouchers.Insert(ctx, &Voucher{Code: "X", Left: 1, Until: now}))
			backend.Intercept(func(r memory.Request) memory.Outcome {
				if r.Conditional {
					return lost
				}
				return memory.Done
			})
			require.True(t, mapper.OutcomeUnknown(Redeem(ctx, s, "X", number(1), number(2), now)))
			backend.Intercept(nil)
			if lost == memory.LostAnswer {
				now = now.Add(time.Hour)
				require.ErrorIs(t, Redeem(ctx, s, "X", number(5), number(6), now), ErrUsedUp)
			}
			require.NoError(t, Redeem(ctx, s, "X", number(1), number(2), now))
			require.ErrorIs(t, Redeem(ctx, s, "X", number(1), number(3), now), ErrRedeemed)
			v, redemptions, err := s.Vouchers.GetWithRedemption(ctx, "X")
			require.NoError(t, err)
			require.Zero(t, v.Left)
			require.Equal(t, []*Redemption{{Code: "X", User: number(1), Order: number(2)}}, redemptions)
		}
	})
}

// Nobody redeems a voucher after its time.
func TestRedeemAnExpiredVoucher(t *testing.T) {
	ctx := t.Context()
	s, err := OpenBackend(ctx, memory.New(memory.Config{}))
	require.NoError(t, err)
	now := time.Now().Truncate(time.Millisecond)
	require.NoError(t, s.Vouchers.Insert(ctx, &Voucher{Code: "X", Left: 1, Until: now}))
	require.ErrorIs(t, Redeem(ctx, s, "X", number(1), number(2), now.Add(time.Second)), ErrExpired)
	require.NoError(t, Redeem(ctx, s, "X", number(1), number(2), now))
}

// Users redeem a voucher at the same time, each from two processes that repeat the call until it has an answer, while requests fail. As many succeed
// as the voucher allows, both processes of a user get one answer, and the number that is left agrees with the redemptions.
func TestRedeemTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const users, allowed = 20, 8
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s, err := OpenBackend(ctx, backend, mapper.Config{Timeout: 200 * time.Millisecond})
		require.NoError(t, err)
		require.NoError(t, s.Vouchers.Insert(ctx, &Voucher{Code: "X", Left: allowed, Until: time.Now().Add(time.Hour)}))
		var mu sync.Mutex
		random := rand.New(rand.NewPCG(1, 2))
		backend.Intercept(func(r memory.Request) memory.Outcome {
			mu.Lock()
			defer mu.Unlock()
			if r.Write && random.IntN(2) == 0 {
				return []memory.Outcome{memory.Refused, memory.LostRequest, memory.LostAnswer}[random.IntN(3)]
			}
			return memory.Done
		})
		answers := make([]error, 2*users)
		var wg sync.WaitGroup
		for i := range answers {
			user := byte(i % users)
			wg.Go(func() {
				for {
					err := Redeem(ctx, s, "X", number(user), number(100+user), time.Now())
					if err == nil || errors.Is(err, ErrRedeemed) || errors.Is(err, ErrUsedUp) {
						answers[i] = err
						return
					}
				}
			})
		}
		wg.Wait()
		backend.Intercept(nil)
		redeemed := map[gocql.UUID]gocql.UUID{}
		for i, err := range answers {
			require.Equal(t, answers[i%users], err)
			if err == nil {
				redeemed[number(byte(i%users))] = number(byte(100 + i%users))
			}
		}
		require.Len(t, redeemed, allowed)
		v, redemptions, err := s.Vouchers.GetWithRedemption(ctx, "X")
		require.NoError(t, err)
		require.Zero(t, v.Left)
		require.Len(t, redemptions, allowed)
		for _, r := range redemptions {
			require.Equal(t, redeemed[r.User], r.Order)
		}
	})
}
