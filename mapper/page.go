package mapper

import "errors"

// Page is a part of the rows of a query.
type Page[T any] struct {
	Items []*T // at most as many as the query's PageSize; fewer, and even none, can come before the last page

	// Next is the token of the page after this one; empty after the last. It is good for the same query with the same
	// values alone: in another one it is an ErrPageToken. Where the store has no Config.TokenKey, it shows the keys of
	// the row that the page ends with and can be forged: keep it on the server then.
	Next string
}

// ErrPageToken is a token that was not given out for the query that it came to, or not by a store of this TokenKey.
var ErrPageToken = errors.New("the page token is not one of this query")
