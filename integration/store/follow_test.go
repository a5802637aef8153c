package store

import (
	"context"
	"errors"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/paper"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// References are followed from the rows of a store in memory and on a node.
func TestFollow(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, s *paper.Store, sent *storetest.Requests){
		"each kind": followEachKind, "many values": followManyValues, "missing": followMissing, "bad input": followBadInput,
		"copies and views": followFromCopies, "referring": readReferring,
	}
	t.Run("memory", func(t *testing.T) {
		for name, test := range tests {
			sent := &storetest.Requests{}
			s, err := paper.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
			require.NoError(t, err)
			t.Run(name, func(t *testing.T) { test(t, s, sent) })
		}
	})
	t.Run("node", func(t *testing.T) {
		sent := &storetest.Requests{}
		s, err := paper.Open(t.Context(), storetest.IndexedTables(t, paper.Schema), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		for name, test := range tests {
			t.Run(name, func(t *testing.T) { test(t, s, sent) })
		}
	})
}

// shelves writes four authors, two publishers, two books and an account, and returns a paper that refers to all of them.
func shelves(t *testing.T, s *paper.Store) *paper.Paper {
	t.Helper()
	ctx := t.Context()
	for i, name := range []string{"Ana", "Rui", "Eva", "Zé"} {
		require.NoError(t, s.Authors.Put(ctx, &paper.Author{ID: int32(i), Name: name}))
	}
	for i, name := range []string{"Almedina", "Bertrand"} {
		require.NoError(t, s.Publishers.Put(ctx, &paper.Publisher{ID: gocql.UUID{15: byte(i + 1)}, Name: name}))
	}
	require.NoError(t, s.Books.Put(ctx, &paper.Book{Shelf: "A", Number: 0, Title: "Dom Casmurro"}))
	require.NoError(t, s.Books.Put(ctx, &paper.Book{Shelf: "B", Number: 7, Title: "Iracema"}))
	require.NoError(t, s.Accounts.Put(ctx, &paper.Account{Code: "k7", Name: "rent"}))
	p := &paper.Paper{
		ID: 1, Title: "Keys", Author: new(int32(0)), PublisherID: gocql.UUID{15: 1}, CitedShelf: "A", Reviewers: []int32{2, 1, 2},
		Editors: map[int32]struct{}{3: {}}, Sources: []paper.BookKey{{Shelf: "A"}, {Shelf: "B", Number: 7}}, Contact: &paper.Contact{AuthorID: new(int32(1))},
		Quotes: []paper.Quote{{By: new(int32(3))}, {Text: "unsigned"}, {By: new(int32(0))}}, Company: &gocql.UUID{15: 2}, Ghost: new(int32(2)), Account: "k7",
	}
	require.NoError(t, s.Papers.Put(ctx, p))
	return p
}

func names(of []*paper.Author) (names []string) {
	for _, a := range of {
		if a == nil {
			names = append(names, "")
		} else {
			names = append(names, a.Name)
		}
	}
	return names
}

// Each kind of reference is followed: by one field, by several, in a composition, in an alternative, and many.
func followEachKind(t *testing.T, s *paper.Store, sent *storetest.Requests) {
	ctx := t.Context()
	inserted := shelves(t, s)
	p, err := s.Papers.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, inserted.Quotes, p.Quotes)
	sent.Drain()

	for name, follow := range map[string]func(context.Context, *paper.Paper) (*paper.Author, error){
		"Ana": s.Papers.FollowAuthor, "Rui": s.Papers.FollowContactAuthor, "": s.Papers.FollowPerson, "Eva": s.Papers.FollowGhost,
	} {
		a, err := follow(ctx, p)
		require.NoError(t, err)
		require.Equal(t, []string{name}, names([]*paper.Author{a}))
		none, err := follow(ctx, &paper.Paper{})
		require.NoError(t, err)
		require.Nil(t, none)
		none, err = follow(ctx, nil)
		require.NoError(t, err)
		require.Nil(t, none)
	}
	require.Len(t, sent.Drain(), 3, "a reference to none is not read")

	publisher, err := s.Papers.FollowPublisher(ctx, p)
	require.NoError(t, err)
	require.Equal(t, "Almedina", publisher.Name)
	company, err := s.Papers.FollowCompany(ctx, p)
	require.NoError(t, err)
	require.Equal(t, "Bertrand", company.Name)
	book, err := s.Papers.FollowCited(ctx, p)
	require.NoError(t, err)
	require.Equal(t, "Dom Casmurro", book.Title)
	require.Equal(t, "SELECT shelf, number, title FROM books WHERE shelf = ? AND number = ?", sent.Drain()[2].Statements[0].CQL)
	account, err := s.Papers.FollowAccount(ctx, p)
	require.NoError(t, err)
	require.Equal(t, "rent", account.Name)

	sent.Drain()
	for _, c := range []struct {
		follow func(context.Context, *paper.Paper) ([]*paper.Author, error)
		want   []string
		reads  int
	}{
		{s.Papers.FollowReviewers, []string{"Eva", "Rui", "Eva"}, 2}, {s.Papers.FollowEditors, []string{"Zé"}, 1}, {s.Papers.FollowQuotesBy, []string{"Zé", "", "Ana"}, 2},
	} {
		got, err := c.follow(ctx, p)
		require.NoError(t, err)
		require.Equal(t, c.want, names(got))
		require.Len(t, sent.Drain(), c.reads, "equal keys are read once")
		for _, v := range []*paper.Paper{nil, {}} {
			got, err = c.follow(ctx, v)
			require.NoError(t, err)
			require.Equal(t, []*paper.Author{}, got)
		}
		require.Empty(t, sent.Drain())
	}
	sources, err := s.Papers.FollowSources(ctx, p)
	require.NoError(t, err)
	require.Equal(t, []string{"Dom Casmurro", "Iracema"}, []string{sources[0].Title, sources[1].Title})
}

// The references of 100 values to 10 rows are 10 requests. The result has the order of the values, with nil for those that are nil or
// refer to none.
func followManyValues(t *testing.T, s *paper.Store, sent *storetest.Requests) {
	ctx := t.Context()
	for i := range int32(10) {
		require.NoError(t, s.Authors.Put(ctx, &paper.Author{ID: i, Name: string('a' + i)}))
	}
	var papers []*paper.Paper
	for i := range 100 {
		papers = append(papers, &paper.Paper{ID: int64(i), Author: new(int32(i * 7 % 10))})
	}
	papers = append(papers, nil, &paper.Paper{})
	sent.Drain()
	authors, err := s.Papers.FollowAuthors(ctx, papers)
	require.NoError(t, err)
	require.Len(t, authors, len(papers))
	for i, p := range papers[:100] {
		require.Equal(t, *p.Author, authors[i].ID)
	}
	require.Equal(t, []*paper.Author{nil, nil}, authors[100:])
	requests := sent.Drain()
	require.Len(t, requests, 10)
	require.Equal(t, "FollowAuthors", requests[0].Op)
	require.Equal(t, "Author", requests[0].Aggregate)

	authors, err = s.Papers.FollowAuthors(ctx, nil)
	require.NoError(t, err)
	require.Equal(t, []*paper.Author{}, authors)
	require.Empty(t, sent.Drain())
}

// A reference to a row that does not exist is a ReferenceError. The other rows are in the result.
func followMissing(t *testing.T, s *paper.Store, _ *storetest.Requests) {
	ctx := t.Context()
	p := shelves(t, s)
	require.NoError(t, s.Authors.Delete(ctx, 2))
	require.NoError(t, s.Publishers.Delete(ctx, p.PublisherID))
	require.NoError(t, s.Accounts.Delete(ctx, "k7"))

	_, err := s.Papers.FollowPublisher(ctx, p)
	require.Equal(t, &mapper.ReferenceError{Aggregate: "Paper", Table: "papers", Key: "id=1", Field: "PublisherID", Target: "Publisher",
		TargetKey: "id=00000000-0000-0000-0000-000000000001"}, err, "its row remains, as that of a deleted versioned root")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.EqualError(t, err, "mapper: Paper (papers id=1): PublisherID refers to Publisher id=00000000-0000-0000-0000-000000000001: not found")

	reviewers, err := s.Papers.FollowReviewers(ctx, p)
	require.Equal(t, []string{"", "Rui", ""}, names(reviewers))
	require.EqualError(t, err, "mapper: Paper (papers id=1): Reviewers[0] refers to Author id=2: not found\n"+
		"mapper: Paper (papers id=1): Reviewers[2] refers to Author id=2: not found")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	var missing *mapper.ReferenceError
	require.True(t, errors.As(err, &missing))
	require.Equal(t, "Reviewers[0]", missing.Field)

	other := &paper.Paper{ID: 5, Author: new(int32(99))}
	authors, err := s.Papers.FollowAuthors(ctx, []*paper.Paper{other, p})
	require.Equal(t, []string{"", "Ana"}, names(authors))
	require.EqualError(t, err, "mapper: Paper (papers id=5): Author refers to Author id=99: not found")

	_, err = s.Papers.FollowGhost(ctx, p)
	require.EqualError(t, err, "mapper: Paper (papers id=1): Ghost refers to Author id=…: not found", "the field is secret")
	_, err = s.Papers.FollowAccount(ctx, p)
	require.EqualError(t, err, "mapper: Paper (papers id=1): Account refers to Account code=…: not found", "the key of the target is secret")
	quotes, err := s.Papers.FollowQuotesBy(ctx, &paper.Paper{Quotes: []paper.Quote{{}, {By: new(int32(2))}, {By: new(int32(1))}}})
	require.Equal(t, []string{"", "", "Rui"}, names(quotes))
	require.EqualError(t, err, "mapper: Paper (papers id=0): Quotes[1].By refers to Author id=2: not found")
	_, err = s.Cover.FollowAuthor(ctx, &paper.Cover{Author: other.Author})
	require.EqualError(t, err, "mapper: Cover (papers): Author refers to Author id=99: not found", "the view does not have the key")
}

// A value that cannot be a key, and invalid options, are errors, and nothing is sent.
func followBadInput(t *testing.T, s *paper.Store, sent *storetest.Requests) {
	ctx := t.Context()
	p := shelves(t, s)
	sent.Drain()
	bad := &paper.Paper{ID: 2, Sources: []paper.BookKey{{Shelf: "A"}, {Shelf: "\xff"}}}
	_, err := s.Papers.FollowSources(ctx, bad)
	require.EqualError(t, err, "mapper: Paper (papers id=2): Sources[1] refers to Book, whose Shelf is not valid UTF-8")
	var fault *mapper.ConstraintError
	require.ErrorAs(t, err, &fault)

	_, err = s.With(mapper.Options{Serial: true}).Papers.FollowAuthor(ctx, p)
	require.ErrorContains(t, err, "mapper: FollowAuthor Author (authors): mapper.Options.Serial is for the tables of versioned roots")
	_, err = s.With(mapper.Options{Verified: true}).PapersByAuthor.FollowAuthor(ctx, &paper.PaperByAuthor{})
	require.ErrorContains(t, err, "mapper: FollowAuthor Author (authors): mapper.Options.Verified is for redundant tables")
	_, err = s.With(mapper.Options{Timeout: -1}).Papers.FollowReviewers(ctx, &paper.Paper{})
	require.ErrorContains(t, err, "mapper: FollowReviewers Author (authors): the timeout -1ns is below 0")
	require.Empty(t, sent.Drain())

	publisher, err := s.With(mapper.Options{Serial: true, TTL: 1}).Papers.FollowPublisher(ctx, p)
	require.Error(t, err)
	require.Nil(t, publisher)
	publisher, err = s.With(mapper.Options{Serial: true}).Papers.FollowPublisher(ctx, p)
	require.NoError(t, err)
	require.Equal(t, "Almedina", publisher.Name)
	require.Equal(t, mapper.Serial, sent.Drain()[0].SerialConsistency)

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = s.Papers.FollowGhost(cancelled, p)
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, err.Error(), "id=2", "the field is secret")
	closed := new(paper.Store)
	_, err = closed.Papers.FollowAuthor(ctx, p)
	require.EqualError(t, err, "mapper: the store is not open: use the store that Open returned")
}

// Redundant tables and views follow the references of their rows.
func followFromCopies(t *testing.T, s *paper.Store, sent *storetest.Requests) {
	ctx := t.Context()
	p := shelves(t, s)
	byAuthor, err := s.PapersByAuthor.Get(ctx, 0, 1)
	require.NoError(t, err)
	publisher, err := s.PapersByAuthor.FollowPublisher(ctx, byAuthor)
	require.NoError(t, err)
	require.Equal(t, "Almedina", publisher.Name)
	reviews := collected(t, s.PapersByReviewer.Of(1).All(ctx))
	reviewers, err := s.PapersByReviewer.FollowReviewers(ctx, reviews)
	require.NoError(t, err)
	require.Equal(t, []string{"Rui"}, names(reviewers))
	source, err := s.PapersBySource.FollowBook(ctx, &paper.PaperBySource{Shelf: "B", Number: 7})
	require.NoError(t, err)
	require.Equal(t, "Iracema", source.Title)
	cover, err := s.Cover.Get(ctx, p.ID)
	require.NoError(t, err)
	author, err := s.Cover.FollowAuthor(ctx, cover)
	require.NoError(t, err)
	require.Equal(t, "Ana", author.Name)
	quoted, err := s.Cover.FollowQuotesBy(ctx, cover)
	require.NoError(t, err)
	require.Equal(t, []string{"Zé", "", "Ana"}, names(quoted))
}

// The papers that refer to a root are read from the redundant table or with the index that has them.
func readReferring(t *testing.T, s *paper.Store, sent *storetest.Requests) {
	ctx := t.Context()
	p := shelves(t, s)
	require.NoError(t, s.Papers.Put(ctx, &paper.Paper{ID: 2, Author: p.Author, Title: "Rows"}))
	sent.Drain()

	ana := &paper.Author{ID: 0}
	papers := collected(t, s.Authors.PapersByAuthor(ana).Reverse().Limit(5).All(ctx))
	require.Equal(t, []*paper.PaperByAuthor{{Author: 0, ID: 2, Title: "Rows"}, {Author: 0, ID: 1, Title: "Keys", Publisher: p.PublisherID}}, papers)
	require.Equal(t, "papers_by_author", sent.Drain()[0].Statements[0].Table)
	require.Len(t, collected(t, s.Authors.PapersByAuthor(ana).IDFrom(2).All(ctx)), 1)
	require.Equal(t, []*paper.PaperByReviewer{{Reviewer: 1, ID: 1, Shelf: "A"}}, collected(t, s.Authors.PapersByReviewers(&paper.Author{ID: 1}).All(ctx)))
	require.Equal(t, []*paper.PaperBySource{{Shelf: "B", Number: 7, ID: 1}}, collected(t, s.Books.PapersBySources(&paper.Book{Shelf: "B", Number: 7}).All(ctx)))
	found := collected(t, s.Publishers.PapersByPublisher(&paper.Publisher{ID: p.PublisherID}).All(ctx))
	require.Len(t, found, 1)
	require.Equal(t, p.ID, found[0].ID)

	sent.Drain()
	for _, err := range s.Authors.PapersByAuthor(nil).All(ctx) {
		require.ErrorContains(t, err, "Author is null, but is in the key")
	}
	for _, err := range s.Publishers.PapersByPublisher(nil).All(ctx) {
		require.ErrorContains(t, err, "PublisherID is null, and no index finds what is null")
	}
	require.Empty(t, sent.Drain())
}
