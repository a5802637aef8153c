package alternatives_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/models"
)

var countedModels = flag.Int("designs.counted", 1, "the number of random relationships whose stores are called; with -all, the stores of all of their designs")

// The requests of the designs of random relationships are those that their stores send, in memory and to a node.
func TestCostsOfRandomRelationships(t *testing.T) {
	t.Parallel()
	from := *seed
	if from == 0 {
		from = uint64(time.Now().UnixNano())
	}
	t.Logf("-designs.seed=%d", from)
	imports, err := models.Load(".", "time", "github.com/cassaml/cassaml/aml", "github.com/gocql/gocql")
	require.NoError(t, err)
	for i := range *countedModels {
		m := &randomModel{Rand: rand.New(rand.NewPCG(from, uint64(i)))}
		text, name := m.declare()
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			files := &load.Files{Path: "example.com/random", Texts: map[string][]byte{"model.go": []byte(text)}, Fset: imports.Fset, Imports: imports}
			l, err := alternatives.List(files, name, alternatives.Config{})
			require.NoError(t, err, "%s", text)
			compareDesigns(t, l, *all)
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// randomModel declares a relationship of teams and players.
type randomModel struct {
	*rand.Rand

	versioned bool
	entries   bool // the players are the values of a map
}

func (m *randomModel) one(of ...string) string { return of[m.IntN(len(of))] }
func (m *randomModel) often(percent int) bool  { return m.IntN(100) < percent }

// declare returns a model, and the name of its relationship.
func (m *randomModel) declare() (text, relationship string) {
	m.versioned = m.often(40)
	form := m.one("list", "map", "root", "element", "copy", "pairs")
	m.versioned = m.versioned || form == "copy"
	m.entries = form == "map"
	key, other := m.one("string", "int32", "int64", "gocql.UUID"), m.one("string", "int32", "int64", "gocql.UUID")
	checked := ""
	if m.versioned && m.often(50) {
		checked = ",checked"
	}
	team, player := m.fields("Team"), m.fields("Player")
	limit := 2 + m.IntN(4)
	structs := []string{}
	if m.versioned && m.often(40) {
		structs = append(structs, m.structure("Club", "Aggregate", "clubs", "ID int32 `aml:\"id,identifier\"`", []string{"City string `aml:\"city\"`"}))
		team = append(team, m.one("ClubID int32 `aml:\"club_id,association=Club,checked\"`", "ClubID *int32 `aml:\"club_id,association=Club,checked\"`"))
	}
	if m.versioned && m.often(40) {
		structs = append(structs, m.structure("Country", "Aggregate", "countries", "ID int32 `aml:\"id,identifier\"`", []string{"City string `aml:\"city\"`"}))
		player = append(player, m.one("CountryID int32 `aml:\"country_id,association=Country,checked\"`", "CountryID *int32 `aml:\"country_id,association=Country,checked\"`"))
	}
	switch form {
	case "list":
		team = append(team, fmt.Sprintf("Players []Player `aml:\"players,composition,max=%d\"`", limit))
	case "map":
		team = append(team, fmt.Sprintf("Players map[%s]Player `aml:\"players,composition,max=%d\"`", key, limit))
	case "root":
		team = append(team, fmt.Sprintf("PlayerNumbers []%s `aml:\"player_numbers,unique,association=Player,max=%d%s\"`", key, limit, checked))
	case "element":
		player = append(player, fmt.Sprintf("TeamID %s `aml:\"team_id,association=Team%s\"`", other, checked))
	case "copy":
		player = append(player, fmt.Sprintf("TeamID %s `aml:\"team_id,association=Team%s,rows=%d\"`", other, checked, limit), "TeamTitle string `aml:\"team_title,copy=Team.Title\"`")
	case "pairs":
		version := ""
		if checked != "" {
			version = "Version int64 `aml:\"version,version\"`"
		}
		structs = append(structs, fmt.Sprintf("type Member struct {\n\taml.Aggregate `aml:\"members,rows=%d\"`\n\n\tTeamID %s `aml:\"team_id,identifier,association=Team%s\"`\n"+
			"\tPlayerNumber %s `aml:\"player_number,discriminator,association=Player%s%s\"`\n\t%s\n}\n", limit, other, checked, key, checked, required(key), version))
	}
	reference := ""
	if other == "int32" && m.often(30) {
		reference = ",association=League"
		structs = append(structs, m.structure("League", "Aggregate", "leagues", "ID int32 `aml:\"id,identifier\"`", []string{"City string `aml:\"city\"`"}))
	}
	structs = append(structs, m.structure("Team", "Aggregate", "teams", fmt.Sprintf("ID %s `aml:\"id,identifier%s\"`", other, reference), team))
	if m.often(40) { // a part that does not depend on the relationship, perhaps with a redundant table
		table := "coaches"
		if m.versioned {
			table = "teams"
		}
		structs = append(structs, fmt.Sprintf("type Coach struct {\n\taml.Entity `aml:\"%s,part=Team,rows=2\"`\n\n\tID %s `aml:\"id,identifier\"`\n\tName string `aml:\"name,discriminator\"`\n\tTown string `aml:\"town,required\"`\n}\n", table, other))
		if m.often(50) {
			structs = append(structs, fmt.Sprintf("type CoachByTown struct {\n\taml.Aggregate `aml:\"coaches_by_town,redundant=Coach\"`\n\n\tTown string `aml:\"town,identifier\"`\n\tID %s `aml:\"id,discriminator\"`\n\tName string `aml:\"name,discriminator\"`\n}\n", other))
		}
	}
	if m.often(40) { // a redundant table that does not depend on the relationship
		structs = append(structs, fmt.Sprintf("type TeamByTitle struct {\n\taml.Aggregate `aml:\"teams_by_title,redundant=Team\"`\n\n\tTitle string `aml:\"title,identifier\"`\n\tID %s `aml:\"id,discriminator\"`\n}\n", other))
	}
	structs = append(structs, m.byTitle(form, other, key)...)
	switch form {
	case "list", "map":
		marker := "Entity"
		if key == "string" { // the key of a value object is its field that is required
			marker = m.one("ValueObject", "Entity")
		}
		structs = append(structs, m.structure("Player", marker, "player", fmt.Sprintf("Number %s", key), player))
		relationship = "Team.Players"
	default:
		structs = append(structs, m.structure("Player", "Aggregate", "players", fmt.Sprintf("Number %s `aml:\"number,identifier\"`", key), player))
		relationship = map[string]string{"root": "Team.PlayerNumbers", "element": "Player.TeamID", "copy": "Player.TeamID", "pairs": "Member.TeamID"}[form]
	}
	return "// Package random has a random relationship.\npackage random\n\nimport (\n\t\"time\"\n\n\t\"github.com/cassaml/cassaml/aml\"\n\t\"github.com/gocql/gocql\"\n)\n\nvar (\n\t_ time.Time\n\t_ gocql.UUID\n)\n\n" + strings.Join(structs, "\n"), relationship
}

// byTitle returns a redundant table of the players that is not by their key.
func (m *randomModel) byTitle(form, team, key string) []string {
	source, root := "Player", ""
	switch form {
	case "list", "map":
		source, root = "Team.Players", fmt.Sprintf("\tTeamID %s `aml:\"team_id,discriminator,from=Team.ID\"`\n", team)
	case "element", "copy": // of a part, if the player becomes one and the key of the table has its root
		root = fmt.Sprintf("\tTeamID %s `aml:\"team_id,discriminator\"`\n", team)
	}
	if !m.often(40) {
		return nil
	}
	return []string{fmt.Sprintf("type PlayerByTitle struct {\n\taml.Aggregate `aml:\"players_by_title,redundant=%s\"`\n\n\tTitle string `aml:\"player_title,identifier\"`\n%s\tNumber %s `aml:\"number,discriminator\"`\n}\n", source, root, key)}
}

// required returns the option of a reference that begins with a comma, if its empty value cannot be in a key.
func required(goType string) string {
	if goType == "string" {
		return ",required"
	}
	return ""
}

// fields returns random fields outside the key.
func (m *randomModel) fields(of string) []string {
	title := "Title string `aml:\"title,required\"`"
	if of == "Player" { // the tables of parts in a root have the columns of both
		title = "Title string `aml:\"player_title,required\"`"
	} else if m.versioned && m.often(30) {
		title = "Title string `aml:\"title,required,unique\"`"
	}
	out := []string{title}
	for i := range m.IntN(4) {
		f := m.one("int32", "bool", "time.Time", "*int32", "[]string")
		if i == 0 && m.versioned && (of == "Team" || !m.entries) && m.often(30) { // the values of a map cannot be unique
			out = append(out, fmt.Sprintf("Code string `aml:\"%s_code,required,unique\"`", strings.ToLower(of)))
			continue
		}
		out = append(out, fmt.Sprintf("Field%d %s `aml:\"%s_field%d\"`", i, f, strings.ToLower(of), i))
	}
	m.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// structure returns the declaration of a struct. An entity or a value object has a key of its own.
func (m *randomModel) structure(name, marker, table, key string, fields []string) string {
	options := map[string]string{"Entity": ",identifier", "ValueObject": ",required"}[marker]
	if options != "" {
		key += fmt.Sprintf(" `aml:\"number%s\"`", options)
	}
	if m.versioned && marker == "Aggregate" {
		fields = append(fields, "Version int64 `aml:\"version,version\"`")
	}
	return fmt.Sprintf("type %s struct {\n\taml.%s `aml:%q`\n\n\t%s\n\t%s\n}\n", name, marker, table, key, strings.Join(fields, "\n\t"))
}
