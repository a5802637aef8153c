package recipes

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
)

func Example() {
	if err := Show(context.Background(), "", os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// == login: Login by a unique e-mail
	// the same e-mail again: another account has this e-mail
	// the old e-mail: true
	// the new e-mail: true
	// == seats: Seats that are not sold twice
	// 20 buyers, sold to: 1
	// after it was given back: <nil>
	// == voucher: A voucher for a number of users
	// 12 users, redeemed by: 3
	// the same order again: <nil>
	// another order of the same user: you have redeemed this voucher
	// 3 redemptions, 0 left
	// == states: A state machine
	// delivered: a parcel that is packed cannot be delivered
	// sent: <nil>
	// returned: <nil>
	// delivered: a parcel that is returned cannot be delivered
	// == saga: An order over several aggregates
	// a second order of 2: sold out
	// the first order: paid, 1 left, payments: 1
	// no order is open: true
	// == feed: A feed by day
	// Mar 4 00:00
	// Mar 3 15:00
	// Mar 3 06:00
	// == marks: Read marks and unread messages
	// before: map[go:6 rust:0]
	// the telephone has read 5: map[go:1 rust:0]
	// the computer, which has read 2, writes later: map[go:1 rust:0]
	// == channel: Delete a channel
	// a message: the channel is closed
	// 1m0s after it was closed: 3 messages, the channel exists: true
	// 2h0m0s after it was closed: 0 messages, the channel exists: false
	// == erasure: Erase a user
	// a comment: the user is being erased
	// 1m0s later the user exists: true
	// 2h0m0s later the user exists: false
	// the group has Bia alone: true, the invoice shows: deleted user
	// left: <nil>
	// == grows: A list that grows
	// 250 song 250
	// 249 song 249
	// after the playlist was deleted: 0
	// == totals: Exact totals, and the newest of many
	// once more: you have reviewed this product
	// 12 reviews, 33 stars; the newest 10, first of user 12
	// == element: Find by an element
	// ana [red]
	// bia [blue]
	// == split: Split a table
	// Ana: old, the same in both tables: true
	// Bia: new, the same in both tables: true
	// == rename: Rename what others show
	// article 1, by Ana Silva
	// article 2, by Ana Silva
	// article 3, by Ana Silva
	// == pages: Pages in an HTTP API
	// 100 songs, from song 1
	// 100 songs, from song 101
	// 50 songs, from song 201
	// a wrong token: 400
	// == status: The HTTP status of an error
	// an account that exists: 409 another request has changed this, or refers to it
	// an e-mail of another: 409 another request has changed this, or refers to it
	// no password: 422 a value is not allowed
	// no such account: 404 not found
	// no time: 504 try again
	// == nightly: Reconcile every night
	// insert: <nil>
	// before: []
	// after: [blue] repaired: true
}

// docs/cookbook.md has a section for each recipe, and its code is in the files of this package.
func TestPageHasTheseRecipes(t *testing.T) {
	page, err := os.ReadFile("../../../docs/cookbook.md")
	require.NoError(t, err)
	var titles []string
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(page), -1) {
		titles = append(titles, m[1])
	}
	for i, r := range recipes {
		require.Equal(t, r.about, titles[i])
	}
	require.Len(t, titles, len(recipes))
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var code strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		code.Write(text)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, blocks)
	for _, b := range blocks {
		for _, declaration := range strings.Split(b[1], "\n\n"+"//") {
			pagetest.Contains(t, "examples/cookbook/recipes", code.String(), strings.TrimSpace(declaration))
		}
	}
}

// A name that is no recipe is an error that lists them.
func TestUnknownRecipe(t *testing.T) {
	require.EqualError(t, Show(t.Context(), "soup", os.Stdout),
		"there is no recipe soup: the recipes are login, seats, voucher, states, saga, feed, marks, channel, erasure, grows, totals, element, split, rename, pages, status, nightly")
}

// Status answers each error of docs/errors.md with the status of its row.
func TestStatusIsThatOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/errors.md")
	require.NoError(t, err)
	of := map[string]error{
		"mapper.ErrNotFound": mapper.ErrNotFound, "mapper.ErrExists": mapper.ErrExists, "mapper.ErrConflict": mapper.ErrConflict, "mapper.ErrBusy": mapper.ErrBusy,
		"mapper.ErrUnfilled": mapper.ErrUnfilled, "mapper.ErrKeyChanged": mapper.ErrKeyChanged, "mapper.ErrPageToken": mapper.ErrPageToken,
		"*mapper.ReferenceError": &mapper.ReferenceError{}, "*mapper.ConstraintError": &mapper.ConstraintError{}, "*mapper.DuplicateError": &mapper.DuplicateError{},
		"*mapper.HeldError": &mapper.HeldError{}, "*mapper.PendingError": &mapper.PendingError{}, "*mapper.BatchTooLargeError": &mapper.BatchTooLargeError{},
		"*mapper.DecodeError": &mapper.DecodeError{}, "*mapper.ClockError": &mapper.ClockError{}, "context.DeadlineExceeded": context.DeadlineExceeded,
		"*mapper.UnknownOutcomeError": &mapper.UnknownOutcomeError{Err: context.DeadlineExceeded}, "*driver.Error": &driver.Error{},
	}
	_, table, _ := strings.Cut(string(page), "## Calls of a store")
	table, _, _ = strings.Cut(table, "\n## ")
	answered := 0
	for _, row := range regexp.MustCompile("(?m)^\\| [^|`]*`([*.A-Za-z]+)`.*\\| (\\d{3})[^|]*\\|$").FindAllStringSubmatch(table, -1) {
		require.Contains(t, of, row[1])
		code, text := Status(fmt.Errorf("a request: %w", of[row[1]]))
		require.Equal(t, row[2], strconv.Itoa(code), row[1])
		require.NotEmpty(t, text)
		answered++
	}
	require.Len(t, of, answered)
	code, text := Status(nil)
	require.Equal(t, http.StatusOK, code)
	require.Empty(t, text)
}
