package gen_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Each page has the token of the next one. A token is valid only for its query, whether it is sealed or not.
func TestPages(t *testing.T) {
	for _, key := range [][]byte{nil, bytes.Repeat([]byte{1}, 32)} {
		d := &double{}
		for _, title := range []string{"a", "b", "c"} {
			d.rows = append(d.rows, rowOf(t, &filmCodec, &Film{Country: "BR", Year: 2002, Title: title}))
		}
		db, err := gen.OpenStore(d, mapper.Config{TokenKey: key}, schema)
		require.NoError(t, err)
		of := newStore(db).Films.Of("BR")
		first, err := of.Page(ctx, "")
		require.NoError(t, err)
		require.Len(t, first.Items, 2)
		second, err := of.Page(ctx, first.Next)
		require.NoError(t, err)
		require.Equal(t, "c", second.Items[0].Title)
		require.Empty(t, second.Next)

		reads := len(d.reads)
		_, err = newStore(db).Films.Of("AR").Page(ctx, first.Next)
		require.ErrorIs(t, err, mapper.ErrPageToken)
		require.EqualError(t, err, "mapper: Page Film (films country='AR'): the page token does not belong to this query")
		_, err = of.YearFrom(1).Page(ctx, first.Next)
		require.ErrorIs(t, err, mapper.ErrPageToken)
		for i := range first.Next {
			for _, c := range "\n\rAZ_" {
				if replaced := first.Next[:i] + string(c) + first.Next[i+1:]; replaced != first.Next {
					_, err := newStore(db).Films.Of("BR").Page(ctx, replaced)
					require.ErrorIs(t, err, mapper.ErrPageToken)
				}
			}
			_, err := newStore(db).Films.Of("BR").Page(ctx, first.Next[:i]+"\n"+first.Next[i:])
			require.ErrorIs(t, err, mapper.ErrPageToken)
		}
		require.Len(t, d.reads, reads, "nothing is sent")

		d.readErr = errTimeout
		page, err := of.Page(ctx, first.Next)
		require.EqualError(t, err, "mapper: Page Film (films country='BR'): timeout")
		require.Empty(t, page)
	}
}

// A page of a partition that has only static values is empty.
func TestPageSkipsStatics(t *testing.T) {
	row := rowOf(t, &filmCodec, &Film{Country: "BR", Year: 2002, Title: "a"})
	static := append(cell.Row(nil), row...)
	static[1], static[2] = nil, nil
	s, _ := open(t, &double{rows: []cell.Row{static}})
	page, err := s.Films.Of("BR").Page(ctx, "")
	require.NoError(t, err)
	require.NotNil(t, page.Items, "empty, and not null in JSON")
	require.Empty(t, page.Items)
}

// A damaged token is refused before anything is sent. A release that reads one more column accepts the tokens of the previous
// release; another keyspace, table or limit does not.
func TestTokensAreBoundToTheQuery(t *testing.T) {
	for _, key := range [][]byte{nil, bytes.Repeat([]byte{1}, 32)} {
		d := &double{}
		for _, title := range []string{"a", "b", "c"} {
			d.rows = append(d.rows, rowOf(t, &filmCodec, &Film{Country: "BR", Year: 2002, Title: title}))
		}
		db, err := gen.OpenStore(d, mapper.Config{TokenKey: key}, schema)
		require.NoError(t, err)
		first, err := newStore(db).Films.Of("BR").Page(ctx, "")
		require.NoError(t, err)
		reads := len(d.reads)
		token, err := base64.RawURLEncoding.DecodeString(first.Next)
		require.NoError(t, err)
		for i := range token {
			for _, damaged := range [][]byte{append(append(append([]byte(nil), token[:i]...), token[i]^1), token[i+1:]...), token[:i], append(token[:len(token):len(token)], token[i])} {
				if len(damaged) == 0 {
					continue // the first page
				}
				_, err := newStore(db).Films.Of("BR").Page(ctx, base64.RawURLEncoding.EncodeToString(damaged))
				require.ErrorIs(t, err, mapper.ErrPageToken)
			}
		}
		require.Len(t, d.reads, reads, "nothing is sent")

		newer := filmsTable
		newer.Columns = append(slices.Clone(newer.Columns), gen.Column{Name: "more", CQL: "more", Kind: gen.Regular, Type: "int"})
		newer.Select = strings.Replace(newer.Select, "released", "released, more", 1)
		d.rows = nil
		reader := gen.NewReader(db, &gen.Codec[Film]{Table: &newer, Decode: func(*gen.Decoder, *Film) {}})
		country := gen.NewKey()
		country.Text("BR")
		q := gen.Where(reader, country)
		_, err = q.Limit(9).Page(ctx, first.Next)
		require.ErrorIs(t, err, mapper.ErrPageToken)
		d.rows = make([]cell.Row, 2)
		for i := range d.rows {
			d.rows[i] = make(cell.Row, len(newer.Columns))
		}
		_, err = q.Page(ctx, first.Next)
		require.NoError(t, err)
	}
}
