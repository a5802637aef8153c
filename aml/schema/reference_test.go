package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// letters is a model whose references are answered by no table.
const letters = `package post

import "github.com/cassaml/cassaml/aml"

type Person struct {
	aml.Aggregate "aml:\"people\""

	ID int32 "aml:\"id,identifier\""
}

type Box struct {
	aml.Aggregate "aml:\"boxes\""

	Town   string "aml:\"town,identifier\""
	Number int32  "aml:\"number,discriminator\""
}

type Letter struct {
	aml.Aggregate "aml:\"letters\""

	ID         int64     "aml:\"id,identifier\""
	SenderID   int32     "aml:\"sender,association=Person\""
	Reader     *int32    "aml:\"reader,association=Person\""
	Witnesses  []int32   "aml:\"witnesses,association=Person,max=9\""
	HomeTown   string    "aml:\"home_town,association=Box.Town\""
	HomeNumber int32     "aml:\"home_number,association=Box.Number\""
	Number     int32     "aml:\"number,association=Box.Number\""
	Town       string    "aml:\"town,association=Box.Town\""
	Stops      []BoxKey  "aml:\"stops,association=Box,type=tuple,unique,max=9\""
	Stamp      *Stamp    "aml:\"stamp,composition\""
	Lines      []Line    "aml:\"lines,composition,max=9\""
	Pages      map[string]Line "aml:\"pages,composition,max=9\""
}

type BoxKey struct {
	Town   string
	Number int32
}

type Stamp struct {
	OwnerID int32 "aml:\"owner_id,association=Person\""
	Heirs   []int32 "aml:\"heirs,association=Person\""
}

type Line struct {
	By    *int32  "aml:\"by,association=Person\""
	Cites []int32 "aml:\"cites,association=Person\""
}
`

// answers are the redundant aggregates that explain offers for the letters.
const answers = `
type LetterBySender struct {
	aml.Aggregate "aml:\"letters_by_sender,redundant=Letter\""

	SenderID int32 "aml:\"sender,identifier\""
	ID       int64 "aml:\"id,discriminator\""
}

type LetterByReader struct {
	aml.Aggregate "aml:\"letters_by_reader,redundant=Letter,when=Letter.Reader\""

	Reader int32 "aml:\"reader,identifier\""
	ID     int64 "aml:\"id,discriminator\""
}

type LetterByWitnesses struct {
	aml.Aggregate "aml:\"letters_by_witnesses,redundant=Letter.Witnesses\""

	Witness int32 "aml:\"witnesses,identifier,from=Letter.Witnesses.$value\""
	ID      int64 "aml:\"id,discriminator,from=Letter.ID\""
}

type LetterByHome struct {
	aml.Aggregate "aml:\"letters_by_home,redundant=Letter\""

	HomeTown   string "aml:\"home_town,identifier\""
	HomeNumber int32  "aml:\"home_number,identifier\""
	ID         int64  "aml:\"id,discriminator\""
	Town       string "aml:\"town\""
}

type LetterByStops struct {
	aml.Aggregate "aml:\"letters_by_stops,redundant=Letter.Stops,distinct\""

	Town   string "aml:\"town,identifier\""
	Number int32  "aml:\"number,identifier\""
	ID     int64  "aml:\"id,discriminator,from=Letter.ID\""
}

type LetterByStampOwner struct {
	aml.Aggregate "aml:\"letters_by_stamp_owner,redundant=Letter,when=Letter.Stamp.OwnerID\""

	OwnerID int32 "aml:\"owner_id,identifier,from=Letter.Stamp.OwnerID\""
	ID      int64 "aml:\"id,discriminator\""
}

type LetterByLinesBy struct {
	aml.Aggregate "aml:\"letters_by_lines_by,redundant=Letter.Lines,when=Letter.Lines.By,distinct\""

	Author int32 "aml:\"by,identifier,from=Letter.Lines.By\""
	ID int64 "aml:\"id,discriminator,from=Letter.ID\""
}
`

// post returns the schema of a package.
func post(t *testing.T, text string) *schema.Schema {
	t.Helper()
	imports := source.NewImporter()
	p, err := load.Source(imports.Fset, "example.com/post", map[string][]byte{"model.go": []byte(text)}, imports)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	return schema.New(m)
}

// stored returns a table of a schema.
func stored(s *schema.Schema, name string) *schema.Table {
	for _, t := range s.Stored {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// described returns the methods of the references of a table, with the fields, or the reason why there are none.
func described(t *schema.Table) (out []string) {
	for _, r := range t.References() {
		if r.No != "" {
			out = append(out, r.FollowMethod()+": "+r.No)
			continue
		}
		out = append(out, strings.TrimSuffix(r.FollowMethod()+", "+r.FollowAllMethod(), ", ")+": "+r.Text())
	}
	return out
}

func TestReferences(t *testing.T) {
	s := post(t, letters+answers)
	require.Equal(t, []string{
		"FollowSender, FollowSenders: v.SenderID", "FollowReader, FollowReaders: v.Reader", "FollowWitnesses: v.Witnesses",
		"FollowHome, FollowHomes: v.HomeTown and v.HomeNumber", "FollowBox, FollowBoxes: v.Town and v.Number", "FollowStops: v.Stops",
		"FollowStampOwner, FollowStampOwners: v.Stamp.OwnerID", "FollowStampHeirs: v.Stamp.Heirs", "FollowLinesBy: v.Lines.By",
		"FollowLinesCites: it is in a collection inside another one", "FollowPagesBy: Pages is a map, which has no order", "FollowPagesCites: Pages is a map, which has no order",
	}, described(stored(s, "letters")))
	require.Equal(t, []string{"FollowHome, FollowHomes: v.HomeTown and v.HomeNumber", "FollowBox: the row has only a part of the key of Box, without Number"},
		described(stored(s, "letters_by_home")))
	require.Equal(t, []string{"FollowWitness, FollowWitnesses: v.Witness"}, described(stored(s, "letters_by_witnesses")))
	require.Equal(t, []string{"FollowBox, FollowBoxes: v.Town and v.Number"}, described(stored(s, "letters_by_stops")))
	require.Equal(t, []string{"FollowOwner, FollowOwners: v.OwnerID"}, described(stored(s, "letters_by_stamp_owner")))
	require.Equal(t, []string{"FollowAuthor, FollowAuthors: v.Author"}, described(stored(s, "letters_by_lines_by")))
}

// For each reference that no table answers in the reverse direction, a redundant aggregate is offered. With that aggregate, it
// answers it.
func TestReferring(t *testing.T) {
	offers, tables := map[string]string{}, map[string]string{}
	of := func(text string) {
		s := post(t, text)
		for _, root := range []string{"people", "boxes"} {
			for _, r := range s.Referring(stored(s, root)) {
				if r.No != "" {
					offers[r.Method()] = strings.TrimPrefix(r.No, "no table or index answers it; a redundant aggregate would: ")
				} else {
					tables[r.Method()] = r.Table.Name
				}
			}
		}
	}
	of(letters)
	require.Empty(t, tables)
	require.Equal(t, map[string]string{
		"LettersBySender":     "LetterBySender, aml.Aggregate `aml:\"letters_by_sender,redundant=Letter\"`, with the key (sender | id)",
		"LettersByReader":     "LetterByReader, aml.Aggregate `aml:\"letters_by_reader,redundant=Letter,when=Letter.Reader\"`, with the key (reader | id)",
		"LettersByWitnesses":  "LetterByWitnesses, aml.Aggregate `aml:\"letters_by_witnesses,redundant=Letter.Witnesses\"`, with the key (witnesses | id)",
		"LettersByHome":       "LetterByHome, aml.Aggregate `aml:\"letters_by_home,redundant=Letter\"`, with the key (home_town, home_number | id)",
		"LettersByBox":        "LetterByBox, aml.Aggregate `aml:\"letters_by_box,redundant=Letter\"`, with the key (town, number | id)",
		"LettersByStops":      "LetterByStops, aml.Aggregate `aml:\"letters_by_stops,redundant=Letter.Stops,distinct\"`, with the key (town, number | id)",
		"LettersByStampOwner": "LetterByStampOwner, aml.Aggregate `aml:\"letters_by_stamp_owner,redundant=Letter,when=Letter.Stamp.OwnerID\"`, with the key (owner_id | id)",
		"LettersByStampHeirs": "LetterByStampHeirs, aml.Aggregate `aml:\"letters_by_stamp_heirs,redundant=Letter.Stamp.Heirs\"`, with the key (heirs | id)",
		"LettersByLinesBy":    "LetterByLinesBy, aml.Aggregate `aml:\"letters_by_lines_by,redundant=Letter.Lines,when=Letter.Lines.By,distinct\"`, with the key (by | id)",
	}, offers)

	clear(offers)
	of(letters + answers)
	require.Equal(t, map[string]string{
		"LettersBySender": "letters_by_sender", "LettersByReader": "letters_by_reader", "LettersByWitnesses": "letters_by_witnesses", "LettersByHome": "letters_by_home",
		"LettersByStops": "letters_by_stops", "LettersByStampOwner": "letters_by_stamp_owner", "LettersByLinesBy": "letters_by_lines_by",
	}, tables)
	require.Len(t, offers, 2)

	of(letters + strings.Replace(answers, "redundant=Letter,when=Letter.Reader", "redundant=Letter,when='Letter.Reader in (1, 2)'", 1))
	require.Contains(t, offers, "LettersByReader", "the table has only some rows")
}
