package recipes

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/memory"
)

// recipe is a recipe of docs/cookbook.md, with a program that shows it.
type recipe struct {
	name  string
	about string
	show  func(ctx context.Context, s *Store, out io.Writer) error
}

var recipes = []recipe{
	{"login", "Login by a unique e-mail", login},
	{"seats", "Seats that are not sold twice", seats},
	{"voucher", "A voucher for a number of users", voucher},
	{"states", "A state machine", states},
	{"saga", "An order over several aggregates", saga},
	{"feed", "A feed by day", feed},
	{"marks", "Read marks and unread messages", marks},
	{"channel", "Delete a channel", channel},
	{"erasure", "Erase a user", erasure},
	{"grows", "A list that grows", grows},
	{"totals", "Exact totals, and the newest of many", totals},
	{"element", "Find by an element", element},
	{"split", "Split a table", split},
	{"rename", "Rename what others show", rename},
	{"pages", "Pages in an HTTP API", pages},
	{"status", "The HTTP status of an error", status},
	{"nightly", "Reconcile every night", nightly},
}

// Show shows the recipe with a name, or all if the name is empty, each on a backend in memory of its own.
func Show(ctx context.Context, name string, out io.Writer) error {
	var names []string
	for _, r := range recipes {
		names = append(names, r.name)
		if name != "" && name != r.name {
			continue
		}
		s, err := OpenBackend(ctx, memory.New(memory.Config{}))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "== %s: %s\n", r.name, r.about)
		if err := r.show(ctx, s, out); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if name == r.name {
			return nil
		}
	}
	if name != "" {
		return fmt.Errorf("there is no recipe %s: the recipes are %s", name, strings.Join(names, ", "))
	}
	return nil
}

// number returns a UUID that is easy to recognize; a service uses gocql.RandomUUID.
func number(n byte) gocql.UUID { return gocql.UUID{15: n} }
