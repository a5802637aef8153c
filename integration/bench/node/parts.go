package node

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/match"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/mapper"
)

// PartLoads returns the work on parts and on single elements of every variant, with the given numbers of operations in flight.
func (c *Client) PartLoads(ctx context.Context, inFlight ...int) (loads []measure.Load, err error) {
	if err := c.create(ctx, match.Schema); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	if c.matches, err = match.Open(ctx, c.session, mapper.Config{}); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	variants := []struct {
		name string
		parts
	}{
		{"cassaml", partsOfStore{c.matches}}, {"cassaml-again", partsOfStore{c.matches}}, {"gocql", partsByHand{c}}, {"floor", preparedParts{partsByHand{c}, false}},
		{"floor, limited", preparedParts{partsByHand{c}, true}},
	}
	for _, work := range partWorks {
		for _, n := range inFlight {
			for _, v := range variants {
				if v.name == "floor, limited" && work.reads {
					continue
				}
				worker := func(i int) (measure.Op, error) { return work.op(v.parts, int64(i)), nil }
				loads = append(loads, measure.Load{Work: work.name, Variant: v.name, InFlight: n, Worker: worker, Counter: c.frames.n.Load})
			}
		}
	}
	return loads, nil
}

// parts has each work on parts as an operation of one worker, on the parts of a separate match.
type parts interface {
	put(id int64) measure.Op             // writes a part without copies
	rename(id int64) measure.Op          // reads a part and writes it with another name, which is the key of its copy
	addElement(id int64) measure.Op      // adds an element to a set without copies
	addElementByTag(id int64) measure.Op // adds an element that has a row in a copy
}

var partWorks = []struct {
	name  string
	reads bool // the floor is the work by hand
	op    func(parts, int64) measure.Op
}{
	{"put of a part", false, parts.put}, {"put of a part with a copy", true, parts.rename},
	{"add of an element", false, parts.addElement}, {"add of an element with a row", false, parts.addElementByTag},
}

// partText is the text of a round.
const partText = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"

// guestName returns one of two names in turn.
func guestName(id int64, n int) string { return fmt.Sprintf("guest %d of %d", n%2, id) }

// tagName returns one of ten tags in turn.
func tagName(n int) string { return "tag " + string('0'+byte(n%10)) }

// partsOfStore calls the generated store.
type partsOfStore struct{ *match.Store }

func (s partsOfStore) put(id int64) measure.Op {
	r := &match.Round{MatchID: id, Text: partText}
	return func() error { r.Number++; return s.Rounds.Put(context.Background(), r) }
}

func (s partsOfStore) rename(id int64) measure.Op {
	n := 0
	return func() error {
		n++
		return s.Guests.Put(context.Background(), &match.Guest{MatchID: id, Seat: 1, Name: guestName(id, n)})
	}
}

func (s partsOfStore) addElement(id int64) measure.Op {
	n := 0
	return func() error { n++; return s.Rounds.AddTags(context.Background(), id, 0, tagName(n)) }
}

func (s partsOfStore) addElementByTag(id int64) measure.Op {
	n := 0
	return func() error { n++; return s.Players.AddTags(context.Background(), id, 1, tagName(n)) }
}

// The handwritten statements.
const (
	putRoundCQL     = "INSERT INTO rounds (match_id, number, text, tags) VALUES (?, ?, ?, ?)"
	getGuestCQL     = "SELECT name FROM guests WHERE match_id = ? AND seat = ?"
	putGuestCQL     = "INSERT INTO guests (match_id, seat, name) VALUES (?, ?, ?)"
	putNameCQL      = "INSERT INTO guests_by_name (name, match_id, seat) VALUES (?, ?, ?)"
	deleteNameCQL   = "DELETE FROM guests_by_name WHERE name = ? AND match_id = ? AND seat = ?"
	addRoundTagCQL  = "UPDATE rounds SET tags = tags + ? WHERE match_id = ? AND number = ?"
	addPlayerTagCQL = "UPDATE players SET tags = tags + ? WHERE match_id = ? AND seat = ?"
	putTagCQL       = "INSERT INTO players_by_tag (tag, match_id, seat) VALUES (?, ?, ?)"
)

// partsByHand is gocql with handwritten statements.
type partsByHand struct{ *Client }

func (g partsByHand) put(id int64) measure.Op {
	number := int32(0)
	return func() error { number++; return g.exec(putRoundCQL, id, number, partText, []string(nil)) }
}

func (g partsByHand) rename(id int64) measure.Op {
	n := 0
	return func() error {
		n++
		q := g.session.Session.Query(getGuestCQL, id, int32(1))
		defer q.Release()
		old, name := "", guestName(id, n)
		switch err := q.Scan(&old); {
		case err != nil && !errors.Is(err, gocql.ErrNotFound):
			return err
		case old == name:
			return nil
		}
		b := g.session.NewBatch(gocql.LoggedBatch)
		b.Query(putGuestCQL, id, int32(1), name)
		b.Query(putNameCQL, name, id, int32(1))
		if old != "" {
			b.Query(deleteNameCQL, old, id, int32(1))
		}
		return g.session.ExecuteBatch(b)
	}
}

func (g partsByHand) addElement(id int64) measure.Op {
	n := 0
	return func() error { n++; return g.exec(addRoundTagCQL, []string{tagName(n)}, id, int32(0)) }
}

func (g partsByHand) addElementByTag(id int64) measure.Op {
	n := 0
	return func() error {
		n++
		b := g.session.NewBatch(gocql.LoggedBatch)
		b.Query(addPlayerTagCQL, []string{tagName(n)}, id, int32(1))
		b.Query(putTagCQL, tagName(n), id, int32(1))
		return g.session.ExecuteBatch(b)
	}
}

// preparedParts sends the statements with prepared bytes. The works that read are the works of partsByHand.
type preparedParts struct {
	partsByHand
	limited bool // each request has the time limit of a call of a store
}

// begin returns the context of a request, and the function that ends it.
func (f preparedParts) begin() (context.Context, context.CancelFunc) {
	if !f.limited {
		return context.Background(), func() {}
	}
	return context.WithTimeout(context.Background(), mapper.DefaultTimeout)
}

// send sends a statement.
func (f preparedParts) send(statement string, args ...any) error {
	q, end := floor{f.Client, f.limited}.query(statement, args...)
	defer end()
	return q.Exec()
}

func (f preparedParts) put(id int64) measure.Op {
	key, text := bigint(id), prepared(partText)
	number, none := prepared{0, 0, 0, 1}, prepared(nil)
	return func() error { return f.send(putRoundCQL, &key, &number, &text, &none) }
}

func (f preparedParts) addElement(id int64) measure.Op {
	key, number, tags := bigint(id), prepared{0, 0, 0, 0}, tagSet()
	return func() error { return f.send(addRoundTagCQL, &tags, &key, &number) }
}

func (f preparedParts) addElementByTag(id int64) measure.Op {
	key, seat, tags, tag := bigint(id), prepared{0, 0, 0, 1}, tagSet(), prepared(tagName(0))
	return func() error {
		ctx, end := f.begin()
		defer end()
		b := f.session.NewBatch(gocql.LoggedBatch)
		if f.limited {
			b = b.WithContext(ctx)
		}
		b.Query(addPlayerTagCQL, &tags, &key, &seat)
		b.Query(putTagCQL, &tag, &key, &seat)
		return f.session.ExecuteBatch(b)
	}
}

// bigint returns a number as bytes.
func bigint(v int64) prepared { return binary.BigEndian.AppendUint64(nil, uint64(v)) }

// tagSet returns a set with the first tag as bytes.
func tagSet() prepared {
	tag := tagName(0)
	set := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 1), uint32(len(tag)))
	return append(set, tag...)
}
