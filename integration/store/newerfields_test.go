package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A newer program has added a field to types. Update keeps the values of that field, in collections and in columns; Change
// writes the values of its struct.
func TestFieldsOfANewerVersion(t *testing.T) {
	t.Parallel()
	session := storetest.OwnJobKeyspace(t)
	store := storetest.OpenJobs(t, session, mapper.Config{})
	storetest.InsertJobs(t, store, storetest.Brakes())
	storetest.Execute(t, session, `
		ALTER TYPE tool ADD owner text;
		ALTER TYPE part ADD stock int;
		ALTER TYPE place ADD zone text;
		ALTER TYPE person ADD nick text`)
	where := ` WHERE site = 'Recife' AND year = 2026 AND opened = 1772357400125 AND id = ` + storetest.JobID(1).String()
	storetest.Execute(t, session, `
		UPDATE jobs SET tools = [{serial: 's1', bought: '2020-01-02', kind: 'jack', owner: 'Ana'}, {serial: 's2', bought: '2021-01-02', kind: 'saw', owner: 'Bia'}],
			parts['disc'] = {maker: 'Alfa', price: 100, stock: 5}, parts['pad'] = {maker: 'Beta', stock: 6}, place = {street: 'Rua da Aurora', door: 7, codes: ['a', 'b'], zone: 'north'}, worker.nick = 'R'`+where)
	store = storetest.OpenJobs(t, session, mapper.Config{})
	newer := func(column string) (text string) {
		require.NoError(t, session.Session.Query("SELECT JSON "+column+" FROM jobs"+where).Scan(&text))
		return text
	}

	storetest.UpdateJob(t, store, storetest.Brakes(), func(j *workshop.Job) {
		j.Tools = []workshop.Tool{j.Tools[1], {Serial: "s3", Bought: storetest.Date(2022, 1, 2), Kind: "drill"}, j.Tools[0]}
		j.Parts["disc"] = workshop.Part{Maker: "Gama"}
		j.Place.Street, j.Worker.Name = "Rua Nova", "Rui Sá"
	})
	require.Equal(t, `{"tools": [{"serial": "s2", "bought": "2021-01-02", "kind": "saw", "owner": "Bia"}, `+
		`{"serial": "s3", "bought": "2022-01-02", "kind": "drill", "owner": null}, {"serial": "s1", "bought": "2020-01-02", "kind": "jack", "owner": "Ana"}]}`, newer("tools"))
	require.Equal(t, `{"parts": {"disc": {"maker": "Gama", "price": null, "stock": 5}, "pad": {"maker": "Beta", "price": null, "stock": 6}}}`, newer("parts"))
	require.Contains(t, newer("place"), `"street": "Rua Nova", "door": 7, "codes": ["a", "b"], "zone": "north"`)
	require.Contains(t, newer("worker"), `"name": "Rui Sá", "phone": "555", "born": "1969-07-20", "nick": "R"`)

	job, err := storetest.GetJob(t.Context(), store, storetest.Brakes())
	require.NoError(t, err)
	unchanged := newer("tools")
	storetest.UpdateJob(t, store, job, func(j *workshop.Job) { j.Hours++ })
	require.Equal(t, unchanged, newer("tools"))

	job, err = storetest.GetJob(t.Context(), store, storetest.Brakes())
	require.NoError(t, err)
	require.NoError(t, store.Jobs.Change(t.Context(), job, storetest.Changed(job, func(j *workshop.Job) { j.Tools = j.Tools[:1] })))
	require.Equal(t, `{"tools": [{"serial": "s2", "bought": "2021-01-02", "kind": "saw", "owner": null}]}`, newer("tools"))
}
