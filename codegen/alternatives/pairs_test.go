package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
)

const teamsAndPlayers = `
type Team struct {
	aml.Aggregate $aml:"teams"$

	ID int32 $aml:"id,identifier"$
}

type Player struct {
	aml.Aggregate $aml:"players"$

	Number int64 $aml:"number,identifier"$
}
`

// The field of the pairs that is named refers to the root, whichever is first in the key: an element of the other side is then in one pair.
func TestUniqueSideOfPairs(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"TeamID int32 $aml:%team_id,identifier,association=Team%$;PlayerNumber int64 $aml:%player_number,discriminator,association=Player%$",
		"PlayerNumber int64 $aml:%player_number,identifier,association=Player%$;TeamID int32 $aml:%team_id,discriminator,association=Team%$"} {
		declarations := teamsAndPlayers + pair("Member", "members,rows=7", key) + pair("Reversed", "reversed,redundant=Member,rows=9", reversed(key))
		for name, want := range map[string]string{
			"Member.TeamID":       "type PlayerTeam struct {\n\taml.Aggregate `aml:\"players_teams\"`\n\n\tPlayerNumber int64 `aml:\"player_number,identifier,association=Player\"`\n\tTeamID       int32 `aml:\"team_id,association=Team\"`\n",
			"Member.PlayerNumber": "type TeamPlayer struct {\n\taml.Aggregate `aml:\"teams_players\"`\n\n\tTeamID       int32 `aml:\"team_id,identifier,association=Team\"`\n\tPlayerNumber int64 `aml:\"player_number,association=Player\"`\n",
		} {
			found := designs(t, declarations, name)
			require.Contains(t, found["pairs-unique-versioned"].Files["model.go"], want, name)
			first := strings.HasPrefix(key, strings.TrimPrefix(name, "Member."))
			require.Contains(t, found["embedded-list"].Diff, map[bool]string{true: "max=7", false: "max=9"}[first], name)
		}
	}
}

// A pair whose key is that of an element has one root for the element. Only the field that refers to the root is a relationship.
func TestPairsOfElements(t *testing.T) {
	t.Parallel()
	files := inMemory(t, teamsAndPlayers+pair("Member", "members", "PlayerNumber int64 $aml:%player_number,identifier,association=Player%$;TeamID int32 $aml:%team_id,association=Team%$;Version int64 $aml:%version,version%$")+
		pair("ByTeam", "by_team,redundant=Member,rows=9", "TeamID int32 $aml:%team_id,identifier%$;PlayerNumber int64 $aml:%player_number,discriminator%$"))
	l, err := alternatives.List(files, "Member.TeamID", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, "Member.TeamID: one Team, many Players; in the model it is: table of pairs, one of each element", l.Title())
	require.Equal(t, 9, l.Max)
	for _, a := range l.Alternatives {
		if a.Refused == "" {
			require.Equal(t, a.ManyToMany, strings.Contains(strings.Join(a.Loses, ""), "an element can have several roots"), a.Name)
		}
		if a.Name == "pairs-unique-versioned" {
			require.Contains(t, a.Files["model.go"], "PlayerNumber int64 `aml:\"player_number,identifier,association=Player\"`")
		}
	}
	_, err = alternatives.List(files, "Member.PlayerNumber", alternatives.Config{})
	require.EqualError(t, err, "Member.PlayerNumber refers to the element of a pair: name Member.TeamID, which refers to its root")
	_, err = alternatives.List(files, "Member.Version", alternatives.Config{})
	require.EqualError(t, err, "Member.Version is neither a collection of compositions nor a reference; the relationships of Member are Member.TeamID")
}

// A table of pairs without a redundant table in the other order has none of the designs. If two tables of pairs have it, the fields decide, and not the two sides. A pair whose
// root can be missing is an element that refers to it, and one with a checked reference is not the pair that a design writes.
func TestModelWithoutADesign(t *testing.T) {
	t.Parallel()
	const key = "TeamID int32 $aml:%team_id,identifier,association=Team%$;PlayerNumber int64 $aml:%player_number,discriminator,association=Player%$"
	const same = "TeamID int32 $aml:%team_id,identifier%$;PlayerNumber int64 $aml:%player_number,discriminator%$"
	const rivals = "TeamID int32 $aml:%team_id,identifier,association=Team%$;RivalID int32 $aml:%rival_id,discriminator,association=Team%$"
	const unique = "PlayerNumber int64 $aml:%player_number,identifier,association=Player%$;TeamID int32 $aml:%team_id,association=Team%$"
	const byTeam = "TeamID int32 $aml:%team_id,identifier%$;PlayerNumber int64 $aml:%player_number,discriminator%$"
	member, guest := pair("Member", "members", key), pair("Guest", "guests", key)
	for _, x := range []struct{ declarations, ofMember, ofSides string }{
		{member, "", ""},
		{member + pair("Again", "again,redundant=Member", same), "", ""},
		{member + pair("Reversed", "reversed,redundant=Member", reversed(key)), "pairs", "pairs"},
		{member + pair("Reversed", "reversed,redundant=Member", reversed(key)) + guest, "pairs", "pairs"},
		{member + pair("Reversed", "reversed,redundant=Member", reversed(key)) + guest + pair("Other", "other,redundant=Guest", reversed(key)), "pairs", ""},
		{member + pair("Reversed", "reversed,redundant=Member", reversed(key)) + pair("Rival", "rivals", rivals) + pair("RivalOf", "rivals_of,redundant=Rival", reversed(rivals)), "pairs", "pairs"},
		{pair("Member", "members", unique+";Version int64 $aml:%version,version%$") + pair("ByTeam", "by_team,redundant=Member", byTeam), "pairs-unique-versioned", "pairs-unique-versioned"},
		{pair("Member", "members", strings.Replace(unique, "association=Team", "association=Team,checked", 1)+";Version int64 $aml:%version,version%$") + pair("ByTeam", "by_team,redundant=Member", byTeam), "", ""},
		{pair("Member", "members", strings.Replace(unique, "TeamID int32", "TeamID *int32", 1)+";Version int64 $aml:%version,version%$") + pair("ByTeam", "by_team,redundant=Member,when=Member.TeamID", byTeam), "reference-from-element-table", ""},
	} {
		files := inMemory(t, teamsAndPlayers+x.declarations)
		p, err := files.Package(files.Texts)
		require.NoError(t, err)
		m, _ := model.Build(p)
		r, err := alternatives.Find(m, "Member.TeamID", nil)
		require.NoError(t, err)
		require.Equal(t, x.ofMember, r.Current(), x.declarations)
		require.Equal(t, x.ofSides, alternatives.Current(m, "Team", "Player"), x.declarations)
		require.NotEqual(t, "pairs-unique-versioned", alternatives.Current(m, "Player", "Team"), "a Player has one Team")
	}
}

// An aggregate is a pair of an element only if its key is one reference, and its other fields are one reference to another aggregate.
func TestFormsOfPairs(t *testing.T) {
	t.Parallel()
	const key, team = "PlayerNumber int64 $aml:%player_number,identifier,association=Player%$;", "TeamID int32 $aml:%team_id,association=Team%$"
	for fields, want := range map[string]string{
		key + team: "Member.TeamID: one Team, many Players; in the model it is: table of pairs, one of each element",
		key + "TeamID []int32 $aml:%team_id,unique,association=Team%$":                       "Member.TeamID: one Member, many Teams; in the model it is: reference from the root",
		key + "TeamID *int32 $aml:%team_id,association=Team%$":                               "Member.TeamID: one Team, many Members; in the model it is: reference from the element",
		key + "TeamID int64 $aml:%team_id,association=Player%$":                              "Member.TeamID: one Player, many Members; in the model it is: reference from the element",
		key + team + ";Left int32 $aml:%left,association=Team%$":                             "Member.TeamID: one Team, many Members; in the model it is: reference from the element",
		"TeamID int32 $aml:%team_id,identifier,association=Team%$;Since int32 $aml:%since%$": "",
	} {
		l, err := alternatives.List(inMemory(t, teamsAndPlayers+pair("Member", "members", fields)), "Member.TeamID", alternatives.Config{})
		if want == "" {
			require.EqualError(t, err, "Member.TeamID is in the key of Member, so it has no other place: only a table of pairs has a key of references to two aggregates")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, l.Title())
	}
	_, err := alternatives.List(inMemory(t, teamsAndPlayers+pair("Member", "members", key+"TeamID []int32 $aml:%team_id,unique,association=Team%$")), "Member.PlayerNumber", alternatives.Config{})
	require.EqualError(t, err, "Member.PlayerNumber is in the key of Member, so it has no other place: only a table of pairs has a key of references to two aggregates", "it has several teams")
	_, err = alternatives.List(inMemory(t, teamsAndPlayers+pair("Member", "members", "TeamID int32 $aml:%team_id,identifier,association=Team%$;PlayerNumber int64 $aml:%player_number,discriminator,association=Player%$;Since int32 $aml:%since%$")), "Member.TeamID", alternatives.Config{})
	require.EqualError(t, err, "Member.TeamID: the pairs have fields of their own, which no other design has a place for")
}

// pair returns the declaration of a table of pairs, with % for the quotes of its tags.
func pair(name, table, fields string) string {
	return strings.ReplaceAll("\ntype "+name+" struct {\n\taml.Aggregate $aml:%"+table+"%$\n\n\t"+strings.ReplaceAll(fields, ";", "\n\t")+"\n}\n", "%", `"`)
}

// reversed returns the key of a redundant table of pairs in the other order.
func reversed(key string) string {
	first, second, _ := strings.Cut(key, ";")
	plain := func(field string, place string) string {
		return field[:strings.Index(field, ",")+1] + place + "%$"
	}
	return plain(second, "identifier") + ";" + plain(first, "discriminator")
}
