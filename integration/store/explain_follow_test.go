package store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/paper"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// The store sends what aml explain prints for the methods that follow references, and for those in the reverse direction.
func TestExplainReferences(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	s, err := paper.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	p := shelves(t, s)
	ctx := t.Context()
	requireRead := func(t *testing.T, x *explain.Table, name string, n int, read func() error) {
		t.Helper()
		sent.Drain()
		require.NoError(t, read())
		o, requests := operation(t, x, name), sent.Drain()
		require.Len(t, requests, n, name)
		requireSent(t, o.Requests[0], requests...)
		require.Equal(t, o.Requests[0].If == "", n == 1, name)
	}
	papers, authors, publishers := explained(t, "../models/paper", "papers"), explained(t, "../models/paper", "authors"), explained(t, "../models/paper", "publishers")
	requireRead(t, papers, "FollowAuthor", 1, func() error { return second(s.Papers.FollowAuthor(ctx, p)) })
	requireRead(t, papers, "FollowPublisher", 1, func() error { return second(s.Papers.FollowPublisher(ctx, p)) })
	requireRead(t, papers, "FollowCited", 1, func() error { return second(s.Papers.FollowCited(ctx, p)) })
	requireRead(t, papers, "FollowReviewers", 2, func() error { return second(s.Papers.FollowReviewers(ctx, p)) })
	requireRead(t, papers, "FollowQuotesBy", 2, func() error { return second(s.Papers.FollowQuotesBy(ctx, p)) })
	requireRead(t, papers, "FollowAuthors", 2, func() error {
		return second(s.Papers.FollowAuthors(ctx, []*paper.Paper{p, {Author: new(int32(1))}, p}))
	})
	requireRead(t, authors, "PapersByAuthor", 1, func() error { return all(ctx, s.Authors.PapersByAuthor(&paper.Author{}).Page) })
	requireRead(t, publishers, "PapersByPublisher", 1, func() error {
		return all(ctx, s.Publishers.PapersByPublisher(&paper.Publisher{ID: p.PublisherID}).Page)
	})
	require.Equal(t, []explain.NoMethod{{Name: "FollowNotesBy", Why: "Notes is a map, which has no order"}}, papers.No)
	require.Equal(t, explain.NoMethod{
		Name: "AuthorsByMentor", Why: "no table or index answers it; a redundant aggregate would: AuthorByMentor, " +
			"aml.Aggregate `aml:\"authors_by_mentor,redundant=Author,when=Author.Mentor\"`, with the key (mentor | id)",
	}, authors.No[0])
}

// second returns the error of a call with a result.
func second[T any](_ T, err error) error { return err }

// all reads the first page of a query.
func all[T any](ctx context.Context, page func(context.Context, string) (mapper.Page[T], error)) error {
	return second(page(ctx, ""))
}
