package mapper

import "errors"

// Page is one page of the rows of a query.
type Page[T any] struct {
	Items []*T // not more than the query's PageSize; a page before the last one can have fewer items, or none

	// Next is the token of the next page; it is empty after the last page. A token is valid only for the same query with
	// the same values: another query returns ErrPageToken. If the store has no Config.TokenKey, the token shows the key of
	// the last row of the page and can be forged: keep it on the server then.
	Next string
}

// ErrPageToken is returned for a token that was not issued for this query, or not by a store with this TokenKey.
var ErrPageToken = errors.New("the page token does not belong to this query")
