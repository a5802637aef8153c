package site_test

import (
	"bytes"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
	"github.com/cassaml/cassaml/codegen/site"
	"github.com/cassaml/cassaml/internal/models"
)

// folders have models with copies, parts in both places, versions, unique values, references, also checked ones, and counters.
var folders = []string{"../../examples/quickstart/shop", "../../examples/library/catalogue", "../../examples/booking/hotel", "../../integration/models/part",
	"../../integration/models/library"}

// packages are those of the folders, which are loaded once.
var packages []*model.Package

// inputs returns a new model for each folder.
func inputs(t *testing.T) []site.Model {
	t.Helper()
	if packages == nil {
		packages = models.Folders(t, folders...)
	}
	return load(t, packages...)
}

// load returns the models of packages.
func load(t *testing.T, packages ...*model.Package) (out []site.Model) {
	t.Helper()
	for _, p := range packages {
		m, faults := model.Build(p)
		require.False(t, model.Refused(faults), "%v", faults)
		out = append(out, site.Model{Model: diagram.Model{Model: m, Schema: schema.New(m)}, Warnings: faults})
	}
	return out
}

func build(t *testing.T, models ...site.Model) map[string][]byte {
	t.Helper()
	files, err := site.Build(site.Input{Models: models})
	require.NoError(t, err)
	return files
}

// The pages have what the model declares and what aml explain and aml estimate print.
func TestPagesHaveTheModel(t *testing.T) {
	for _, m := range inputs(t) {
		t.Run(m.Package.Name, func(t *testing.T) {
			files := build(t, m)
			index := visibleText(t, files["index.html"])
			e := explain.New(m.Model.Model, m.Schema)
			for _, a := range m.Aggregates {
				assert.Contains(t, index, a.Struct.Name)
				page := pageText(t, files, "aggregate", a.Struct.Name)
				for _, at := range a.Attributes {
					assert.Contains(t, page, strings.Join(at.Path, "."))
				}
				assert.Contains(t, page, squeezed(a.Struct.Doc), "the doc comment of %s", a.Struct.Name)
			}
			for _, table := range m.Schema.Tables {
				page := pageText(t, files, "table", table.Name)
				assert.Contains(t, page, squeezed(table.CQL()))
				for _, c := range table.Columns {
					assert.Contains(t, page, c.Name+" "+c.Type.String())
				}
				for _, i := range table.Indexes {
					assert.Contains(t, page, squeezed(i.CQL(table)))
				}
			}
			explained(t, files, e)
			for _, s := range model.Estimates(m.Model.Model) {
				assert.Contains(t, pageText(t, files, "table", s.Table), "Estimated size of a partition: "+s.Size()+",")
			}
		})
	}
}

// explained checks that each line of aml explain is on the page of its aggregate, and each query on the pages of its table.
func explained(t *testing.T, files map[string][]byte, e *explain.Explanation) {
	t.Helper()
	queries := visibleText(t, files["queries.html"])
	for _, x := range e.Tables {
		page := pageText(t, files, "aggregate", x.Aggregate.Struct.Name)
		for _, o := range x.Operations {
			assert.Contains(t, page, o.Name+" "+squeezed(outline.Cost(o)))
			for _, l := range outline.Operation(o).Lines[1:] {
				assert.Contains(t, page, squeezed(l.CQL))
				assert.Contains(t, page, squeezed(l.Text))
			}
		}
		for _, f := range x.Fields {
			for _, l := range outline.Field(f).Lines[2:] {
				assert.Contains(t, page, squeezed(l.CQL))
				assert.Contains(t, page, squeezed(l.Text))
			}
		}
		read := x.Operations[slices.IndexFunc(x.Operations, func(o *explain.Operation) bool { return o.Name == "Get" })]
		cql := x.GoName() + ".Get " + squeezed(outline.Cost(read)+" "+read.Requests[0].Writes[0].Statements[0].CQL)
		assert.Contains(t, queries, cql)
		assert.Contains(t, pageText(t, files, "table", x.Name), cql)
	}
}

// The page of a redundant table says what writes it, and the pages of both tables say which cell derives from which.
func TestPagesHaveTheDerivation(t *testing.T) {
	files := build(t, inputs(t)[0])
	vehicles := visibleText(t, files["table-vehicles.html"])
	assert.Contains(t, vehicles, "plate text K partition key Plate Customer.Vehicles.Plate")
	assert.Contains(t, vehicles, "owner owner Owner Customer.ID, Customer.Name")
	assert.Contains(t, vehicles, "change of Name Customer one row for each element of Customer.Vehicles (at most 20); columns: owner "+
		"1, and 1 for each element of Customer.Vehicles (at most 20) in vehicles "+
		"one statement, or a logged batch if there are more; through the batchlog if it writes to vehicles change of Vehicles")
	assert.Contains(t, vehicles, "AML902 plain projection that overlapping writes can leave wrong silenced Reason: one clerk at a time changes a customer")
	customers := visibleText(t, files["table-customers.html"])
	assert.NotContains(t, customers, "Put, Update", "they are listed by field; their reads are no writes")
	assert.Contains(t, customers, "Sent as Insert, InsertAll, Delete Customer one row 1, and 1 for each element")
	assert.Contains(t, customers, "name text Name vehicles.owner")
	assert.Contains(t, customers, "determines which rows exist in vehicles vehicles.plate, vehicles.color")
}

// The search finds the pages about the whole model, too.
func TestSearchHasThePages(t *testing.T) {
	m := inputs(t)[0]
	m.Migrations = []site.Migration{{Name: "0001_init.cql"}}
	names := string(build(t, m)["names.js"])
	for label, file := range map[string]string{"Overview": "index", "Diagram: Aggregates": "diagram-aml", "Diagram: Members": "diagram-members", "Diagram: Tables": "diagram-tables",
		"Queries": "queries", "Migrations": "migrations", "Notation": "notation"} {
		assert.Contains(t, names, `["`+label+`","page","`+file+`.html",""]`)
	}
}

// The first sentence of a doc comment is on the overview, with its links.
func TestOverviewHasFirstSentences(t *testing.T) {
	m := inputs(t)[0]
	defer func(doc string) { m.Aggregates[0].Struct.Doc = doc }(m.Aggregates[0].Struct.Doc)
	m.Aggregates[0].Struct.Doc = "Customer is listed\nby [VehicleByPlate] as in <the\n[guide]. It is a root.\n\nMore.\n\n[guide]: https://example.com/guide\n"
	assert.Contains(t, string(build(t, m)["index.html"]), "<div><p>Customer is listed\nby <a href=\"aggregate-vehiclebyplate.html\">VehicleByPlate</a> as in &lt;the\n"+
		"<a href=\"https://example.com/guide\">guide</a>.\n</div>")
}

// A field with copy= has a link to the field that it copies, and so has its column. The copied field has the columns that copy it.
func TestPagesHaveTheCopies(t *testing.T) {
	files := build(t, load(t, models.Folders(t, "../../integration/models/loan")...)...)
	loan := string(files["aggregate-loan.html"])
	assert.Contains(t, loan, `<p>copy of <a href="aggregate-member.html#field-Name"><code>Member.Name</code></a></p>`)
	assert.Contains(t, loan, `<p>copy of <a href="aggregate-book.html#field-Name"><code>Book.Name</code></a>, `, "the fields of a composition")
	assert.Contains(t, visibleText(t, files["table-loans.html"]), "member_name text MemberName Member.Name")
	assert.Contains(t, string(files["aggregate-member.html"]), `<a href="table-loans.html#column-member_name"><code>loans.member_name</code></a>`)
	assert.Contains(t, string(files["table-books.html"]), `<a href="table-loans.html#column-book"><code>loans.book</code></a>`)
}

// A site of several packages has a page for each aggregate of each package, and the same bytes each time.
func TestSitesAreDeterministic(t *testing.T) {
	files := build(t, inputs(t)...)
	assert.Equal(t, files, build(t, inputs(t)...))
	assert.Contains(t, files, "aggregate-hotel-guest.html")
	for name := range files {
		assert.Regexp(t, `^[a-z0-9-]+\.(html|css|js|svg)$`, name)
	}
}

// The names of files differ on file systems that ignore case, and do not grow with the names of the model.
func TestFileNames(t *testing.T) {
	m := inputs(t)[0]
	names := [2]string{m.Aggregates[0].Struct.Name, m.Aggregates[1].Struct.Name}
	defer func() { m.Aggregates[0].Struct.Name, m.Aggregates[1].Struct.Name = names[0], names[1] }()
	m.Aggregates[0].Struct.Name, m.Aggregates[1].Struct.Name = "customer", "Customer"
	assert.Subset(t, slices.Collect(maps.Keys(build(t, m))), []string{"aggregate-customer.html", "aggregate-customer-2.html"})
	m.Aggregates[0].Struct.Name, m.Aggregates[1].Struct.Name = "../Ünï/"+strings.Repeat("a", 1000), "CON"
	for name := range build(t, m) {
		assert.Regexp(t, `^[a-z0-9-]+\.[a-z]+$`, name)
		assert.Less(t, len(name), 100)
		assert.NotEqual(t, "con.html", name)
	}
}

var pages = map[*byte]string{}

// pageText returns the text of the page of an aggregate or a table.
func pageText(t *testing.T, files map[string][]byte, kind, name string) string {
	t.Helper()
	file := kind + "-" + strings.ToLower(strings.NewReplacer("_", "-", " ", "-").Replace(name)) + ".html"
	require.Contains(t, files, file)
	return visibleText(t, files[file])
}

// visibleText returns the text that a page shows, without its navigation and with single spaces.
func visibleText(t *testing.T, page []byte) string {
	t.Helper()
	if text, done := pages[&page[0]]; done {
		return text
	}
	_, body, found := bytes.Cut(page, []byte("<main"))
	require.True(t, found)
	text := regexp.MustCompile(`</?(span|code|a|strong|p|div)\b[^>]*>`).ReplaceAll(bytes.ReplaceAll(body, []byte("</p>"), []byte(" ")), nil)
	text = regexp.MustCompile(`<[^>]*>`).ReplaceAll(text, []byte(" "))
	pages[&page[0]] = squeezed(html.UnescapeString(string(text)))
	return pages[&page[0]]
}

// squeezed returns a text with single spaces.
func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }
