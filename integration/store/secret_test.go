package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// overhearing is a tracer that keeps everything it receives, as text.
type overhearing struct{ strings.Builder }

func (o *overhearing) Start(ctx context.Context, q mapper.Request) context.Context {
	fmt.Fprintf(o, "%+v\n", q)
	return ctx
}

func (o *overhearing) End(_ context.Context, r mapper.RequestResult) { fmt.Fprintf(o, "%+v\n", r) }

func locker(change func(*stock.Locker)) *stock.Locker {
	l := &stock.Locker{Code: "s3cret", Row: 1, Lock: "s3cret", Words: []string{"s3cret"}}
	change(l)
	return l
}

// No error and no trace contains a secret value, whether it is a key, an element, the key of a map, in a UDT, or in an error
// of the value's own methods. The rest of the message is kept.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	tracer := &overhearing{}
	backend := memory.New(memory.Config{})
	store, err := stock.OpenBackend(t.Context(), backend, mapper.Config{Tracer: tracer})
	require.NoError(t, err)
	held := stock.Key{Serial: "s3cret", Holder: "Ana"}
	other := stock.Key{Serial: "s3cret", Holder: "Eva"}
	for want, l := range map[string]*stock.Locker{
		"Lock cannot be encoded": locker(func(l *stock.Locker) { l.Lock = "s3cret!" }),
		"Keys[…].Teeth cannot be encoded": locker(func(l *stock.Locker) {
			l.Keys = []stock.Key{{Serial: "s3cret", Holder: "Ana", Teeth: "s3cret!"}}
		}),
		"Spares[…].Teeth cannot be encoded": locker(func(l *stock.Locker) {
			l.Spares = map[string]stock.Key{"s3cret": {Holder: "Ana", Teeth: "s3cret!"}}
		}),
		"Spares[…].Holder is required": locker(func(l *stock.Locker) { l.Spares = map[string]stock.Key{"s3cret": {Serial: "s3cret"}} }),
		"Pins[…].Holder is required": locker(func(l *stock.Locker) {
			l.Pins = map[stock.Pin]stock.Key{{Digits: "s3cret"}: {Serial: "s3cret"}}
		}),
		"Pins[…].Serial is not valid UTF-8": locker(func(l *stock.Locker) {
			l.Pins = map[stock.Pin]stock.Key{{Digits: "s3cret"}: {Serial: "s3cret\xff", Holder: "Ana"}}
		}),
		"mapper: Insert Locker (lockers code=…, row=1): Pins[…]":   locker(func(l *stock.Locker) { l.Pins = map[stock.Pin]stock.Key{{Digits: "s3cret\xff"}: held} }),
		"Keys[…] has the identity of Keys[…]":                      locker(func(l *stock.Locker) { l.Keys = []stock.Key{held, other} }),
		"Spares[…] has the identity of Spares[…]":                  locker(func(l *stock.Locker) { l.Spares = map[string]stock.Key{"s3cret": held, "s3cret2": other} }),
		"Bolts[…] is not valid UTF-8":                              locker(func(l *stock.Locker) { l.Bolts = map[string][]string{"s3cret": {"s3cret\xff"}} }),
		"Words holds two equal elements":                           locker(func(l *stock.Locker) { l.Words = []string{"s3cret", "s3cret"} }),
		"Code is not valid UTF-8":                                  locker(func(l *stock.Locker) { l.Code = "s3cret\xff" }),
		"Spares has 10 values, more than 9":                        locker(func(l *stock.Locker) { l.Spares = manySpares() }),
		"implies a row of lockers_by_name whose key name is empty": locker(func(l *stock.Locker) { l.Spares = map[string]stock.Key{"": held} }),
	} {
		err := store.Lockers.Insert(t.Context(), l)
		require.ErrorContains(t, err, want)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), "s3cret", want)
	}
	_, err = store.Lockers.Get(t.Context(), "s3cret", 1)
	require.EqualError(t, err, "mapper: Get Locker (lockers code=…, row=1): not found")
	_, err = store.LockersByName.Get(t.Context(), "s3cret")
	require.EqualError(t, err, "mapper: Get LockerByName (lockers_by_name name=…): not found", "a value that derives from a secret is secret")

	require.NoError(t, store.Lockers.Insert(t.Context(), locker(func(l *stock.Locker) { l.Spares = map[string]stock.Key{"s3cret": held} })))
	backend.Intercept(func(r memory.Request) memory.Outcome { return memory.Refused })
	err = store.Lockers.Insert(t.Context(), locker(func(l *stock.Locker) { l.Keys = []stock.Key{held} }))
	require.ErrorContains(t, err, "mapper: Insert Locker (lockers code=…, row=1)")
	require.NotContains(t, err.Error(), "s3cret")
	require.NotEmpty(t, tracer.String())
	require.NotContains(t, tracer.String(), "s3cret")
}

func manySpares() map[string]stock.Key {
	spares := map[string]stock.Key{}
	for i := range 10 {
		name := fmt.Sprintf("s3cret%d", i)
		spares[name] = stock.Key{Serial: name, Holder: "Ana"}
	}
	return spares
}

// A secret value that is read and cannot be decoded is hidden, too.
func TestSecretsAreHiddenWhenRead(t *testing.T) {
	t.Parallel()
	session := storetest.StockKeyspace(t)
	tracer := &overhearing{}
	store, err := stock.Open(t.Context(), session, mapper.Config{Tracer: tracer})
	require.NoError(t, err)
	for code, c := range map[string]struct{ column, value, path string }{
		"s3cret1": {"lock", "'s3cret?'", "Lock"},
		"s3cret2": {"spares", "{'s3cret': {serial: 's3cret', teeth: 's3cret?'}}", "Spares[…].Teeth"},
		"s3cret3": {"keys", "[{serial: 's3cret', teeth: 's3cret?'}]", "Keys[…].Teeth"},
		"s3cret4": {"pins", "{('s3cret'): {teeth: 's3cret?'}}", "Pins[…].Teeth"},
	} {
		require.NoError(t, session.ExecStmt("INSERT INTO lockers (code, row, "+c.column+") VALUES ('"+code+"', 1, "+c.value+")"))
		_, err := store.Lockers.Get(t.Context(), code, 1)
		var fault *mapper.DecodeError
		require.ErrorAs(t, err, &fault)
		require.Equal(t, &mapper.DecodeError{Aggregate: "Locker", Table: "lockers", Key: "code=…, row=1", Column: c.column, Path: c.path, Problem: "cannot be decoded"}, fault)
		for _, err := range store.Lockers.Of(code).All(t.Context()) {
			require.NotContains(t, err.Error(), "s3cret")
		}
		_, err = store.Lockers.Of(code).Page(t.Context(), "")
		require.ErrorAs(t, err, &fault)
		require.NotContains(t, err.Error(), "s3cret")
	}
	require.NotContains(t, tracer.String(), "s3cret")
}
