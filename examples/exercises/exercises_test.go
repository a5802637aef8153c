package exercises

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

func open(ctx context.Context) *Store {
	s, err := OpenBackend(ctx, memory.New(memory.Config{}))
	if err != nil {
		panic(err)
	}
	return s
}

func id(n byte) gocql.UUID { return gocql.UUID{15: n} }

func at(day, hour int) time.Time { return time.Date(2026, time.March, day, hour, 0, 0, 0, time.UTC) }

// A review is found by its product and by its author, and its stars are the same in both tables.
func Example_reviews() {
	ctx := context.Background()
	s := open(ctx)
	r := &Review{ProductID: id(1), At: at(1, 9), ID: id(2), AuthorID: id(3), Stars: 5, Text: "good"}
	fmt.Println(s.Reviews.Insert(ctx, r))
	_, err := s.Reviews.Update(ctx, r.ProductID, r.At, r.ID, func(v *Review) error { v.Stars = 4; return nil })
	fmt.Println(err)
	for v, err := range s.Reviews.Of(id(1)).Limit(10).All(ctx) {
		fmt.Println(v.Stars, v.Text, err)
	}
	for v, err := range s.ReviewsByAuthor.Of(id(3)).All(ctx) {
		fmt.Println(v.Stars, err)
	}
	// Output:
	// <nil>
	// <nil>
	// 4 good <nil>
	// 4 <nil>
}

// An e-mail belongs to one account, and finds it.
func Example_login() {
	ctx := context.Background()
	s := open(ctx)
	fmt.Println(s.Accounts.Insert(ctx, &Account{ID: id(1), Email: "ana@example.com", PasswordHash: []byte("hash")}))
	err := s.Accounts.Insert(ctx, &Account{ID: id(2), Email: "ana@example.com", PasswordHash: []byte("hash")})
	var taken *mapper.DuplicateError
	fmt.Println(errors.As(err, &taken), taken.Field)
	a, err := s.Accounts.GetByEmail(ctx, "ana@example.com")
	fmt.Println(a.ID == id(1), err)
	// Output:
	// <nil>
	// true Email
	// true <nil>
}

// The messages of a channel are read in pages from the partitions of its last days, the newest first.
func Example_channel() {
	ctx := context.Background()
	s := open(ctx)
	for n, when := range []time.Time{at(1, 9), at(2, 23), at(3, 8)} {
		m := &Message{Channel: "go", Day: when.Truncate(24 * time.Hour), At: when, ID: id(byte(n)), Author: "ana", Text: fmt.Sprint("message ", n)}
		fmt.Println(s.Messages.Insert(ctx, m))
	}
	var keys []MessagesPartitionKey
	for day := 3; day > 0; day-- {
		keys = append(keys, MessagesPartitionKey{Channel: "go", Day: at(day, 0)})
	}
	for token := ""; ; {
		page, err := s.Messages.OfEach(keys).PageSize(2).Page(ctx, token)
		fmt.Println(len(page.Items), err)
		for _, m := range page.Items {
			fmt.Println(m.Text)
		}
		if token = page.Next; token == "" {
			break
		}
	}
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// 2 <nil>
	// message 2
	// message 1
	// 1 <nil>
	// message 0
}

// docs/designing.md has the structs of the answers.
func TestPageHasTheAnswers(t *testing.T) {
	source, err := os.ReadFile("model.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/designing.md")
	require.NoError(t, err)
	for block := range strings.SplitSeq(string(source), "\n// ") {
		if _, body, ok := strings.Cut(block, "\ntype "); ok {
			pagetest.Contains(t, "docs/designing.md", string(page), "type "+strings.TrimSpace(body))
		}
	}
}
