package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/describe"
)

// newView computes the view of the file.
func newView(m *model.Model, s *schema.Schema, c Config, d *driver) *view {
	p := c.storePackage(m)
	n := newNames(c.Prefix, p.Names)
	im := newImports(p.Path, m.Package.Path, n, d)
	v := &view{Package: p.Name, Driver: d, names: n}
	if c.Package != nil {
		v.Recorded = recordedModel + m.Package.Path
	}
	b := &viewer{schema: s, names: n, imports: im, store: describe.New(s, m.Package.Path), keyTypes: map[*model.Aggregate]keysView{},
		partitionTypes: map[*model.Aggregate]partitionType{}, keysets: map[keyset]string{}, codecs: &codecs{imports: im, names: n, driver: d, done: map[string]string{}}}
	v.head()
	if slices.ContainsFunc(s.Stored, batched) {
		v.Batch = n.exported("Batch", &model.Struct{Name: "the store"})
	}
	fields := []string{"Session", "With", "Batch", "Reconcile"}
	if slices.ContainsFunc(s.Tables, remembered) {
		fields = append(fields, "Forget")
	}
	if slices.ContainsFunc(s.Stored, listed) {
		fields = append(fields, "FanOut")
	}
	for _, t := range s.Stored {
		table := b.table(t)
		if !table.Derived() {
			n.distinct(t.Aggregate.Struct, v.Store, fields, table.Field)
		}
		if table.Batch != nil {
			n.distinct(t.Aggregate.Struct, v.Batch, []string{"Run"}, table.Field)
		}
		if !d.Metadata {
			table.Metadata = nil
		}
		v.Tables = append(v.Tables, table)
	}
	for _, t := range s.Tables {
		if t.Part != nil {
			v.Whole = append(v.Whole, b.whole(t))
		}
	}
	for _, t := range v.Tables {
		if t.Versioned != nil {
			b.linkVersioned(t, v.Tables)
			if t.Versioned.Part != nil {
				b.partsWith(t)
			}
		}
	}
	for _, x := range s.Views {
		view := b.view(x)
		n.distinct(x.Model.Struct, v.Store, fields, view.Field)
		v.Views = append(v.Views, view)
	}
	v.link(b.store, s)
	b.references(v)
	v.backfills()
	b.print(v)
	v.Functions, v.Infos = b.codecs.flush(), b.codecs.infos
	v.Basics, v.Constants = b.codecs.basics(), b.constants(m)
	v.Unchanged = b.codecs.unchanged() // last, after all parameters have names, because parameters avoid the names of imports
	v.Standard, v.Others = im.sorted()
	return v
}

func (v *view) head() {
	of := &model.Struct{Name: "the store"}
	v.Store, v.Open, v.OpenBackend = v.names.exported("Store", of), v.names.exported("Open", of), v.names.exported("OpenBackend", of)
	v.New, v.Schema = v.names.internal("NewStore", of), v.names.internal("StoreSchema", of)
	v.Relations = v.names.internal("StoreRelations", of)
}

// StoreFields returns the tables and views that are fields of the store: all except derived tables.
func (v *view) StoreFields() []*tableView {
	return slices.DeleteFunc(slices.Concat(v.Tables, v.Views), func(t *tableView) bool { return t.Derived() })
}

// Related returns the tables of the roots that have checked references or copied fields, and of those to which they refer.
func (v *view) Related() (tables []*tableView) {
	for _, t := range v.Tables {
		if t.related() || v.copies(t) {
			tables = append(tables, t)
		}
	}
	return tables
}

// copies reports whether a root has copied fields, or others have copies of its fields.
func (v *view) copies(of *tableView) bool {
	if !of.Root() {
		return false
	}
	return of.hasCopied() || slices.ContainsFunc(v.Tables, func(t *tableView) bool {
		return t.Root() && slices.ContainsFunc(t.source.Aggregate.FinalCopies, func(c *model.Copy) bool { return c.Target == of.source.Aggregate })
	})
}

// related reports whether a root has checked references, or others refer to it.
func (v *tableView) related() bool {
	return v.Versioned != nil && (len(v.source.Versioning.References) > 0 || len(v.holders) > 0)
}

// remembered reports whether a store remembers the rows of a table.
func remembered(t *schema.Table) bool {
	return t.Aggregate != nil && t.Aggregate.Redundancy != nil && t.Aggregate.Redundancy.Cache > 0
}

// Remembers reports whether the store remembers rows of a table that it has written.
func (v *view) Remembers() bool {
	return slices.ContainsFunc(v.Tables, func(t *tableView) bool { return remembered(t.source) })
}

// listed reports whether the outboxes list the root of a table.
func listed(t *schema.Table) bool { return t.Versioning != nil && t.Versioning.Outboxes != nil }

// Listed returns the tables of the roots that the outboxes list: fields of other roots follow them, or a deletion of them deletes or changes other
// roots.
func (v *view) Listed() (tables []*tableView) {
	for _, t := range v.Tables {
		if listed(t.source) {
			tables = append(tables, t)
		}
	}
	return tables
}

// FanOutDoc returns the comment of FanOut.
func (v *view) FanOutDoc() string {
	var followed, deleted []string
	for _, t := range v.Listed() {
		if t.source.Versioning.Outbox != nil {
			followed = append(followed, t.Name)
		}
		if t.source.Versioning.ListsDeletions {
			deleted = append(deleted, t.Name)
		}
	}
	var out []string
	if followed != nil {
		out = append(out, fmt.Sprintf("lets the fields that are copies of fields of %s follow them, where the saves that have changed these could not: it saves the rows with the copies.", list(followed)))
	}
	if deleted != nil {
		out = append(out, fmt.Sprintf("finishes the deletions of %s that have not ended: it deletes or changes the rows that refer to them, and then deletes them.", list(deleted)))
	}
	return doc("FanOut %s A service runs it in as many processes as it likes, with config.Follow until the context ends. Otherwise it returns when nothing is left.", strings.Join(out, " It also "))
}

// Derived returns the tables that only the mapper uses.
func (v *view) Derived() []*tableView {
	return slices.DeleteFunc(slices.Clone(v.Tables), func(t *tableView) bool { return !t.Derived() })
}

// Copied returns the tables that have copies.
func (v *view) Copied() (tables []*tableView) {
	for _, t := range v.Tables {
		if len(t.Copies) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// link adds to each table the projections of its rows and the parts of its root.
func (v *view) link(d *describe.Store, s *schema.Schema) {
	for i, t := range s.Stored {
		for k, p := range t.Projections {
			v.Tables[i].Copies = append(v.Tables[i].Copies, copiesView{&d.Aggregates[t].Copies[k], p.Table.Name, p.Owner() != nil})
			v.Tables[slices.Index(s.Stored, p.Table)].Codec.Source = v.Tables[i]
		}
	}
	for i, t := range s.Stored {
		if v.Tables[i].Derived() {
			continue
		}
		for j, x := range s.Stored {
			if x.Aggregate != nil && x.Aggregate.Root == t.Aggregate {
				v.part(v.Tables[i], v.Tables[j])
			}
		}
	}
	for _, t := range v.Tables {
		if !t.Derived() {
			t.document()
		}
	}
}

// backfills sets the name of the function that returns the backfills. A package without any has it, too, so that a program need not
// change when a redundant table is added.
func (v *view) backfills() {
	v.Backfills = v.names.exported("Backfills", &model.Struct{Name: "the store"})
}

// HasVersions reports whether there is a versioned root.
func (v *view) HasVersions() bool {
	return slices.ContainsFunc(v.Tables, func(t *tableView) bool { return t.Versioned != nil })
}

// HasLifetimes reports whether a TTL of a table has a name.
func (v *view) HasLifetimes() bool {
	return slices.ContainsFunc(v.Tables, func(t *tableView) bool { return t.Descriptor.value.Lifetimes != nil })
}

// BackfillsDoc returns the comment of the function that returns the backfills.
func (v *view) BackfillsDoc() string {
	const (
		refs = "A function TABLE__references writes the rows of the reverse tables of a root whose references become checked; programs that do not " +
			"check them must have ended. "
		tables   = "a function for every redundant table. The function fills the table from its source while other programs write."
		versions = "a function TABLE__version for every versioned root. The function makes the rows that programs without versions have written " +
			"rows of the root; these programs must have ended."
		both = `Each starts after the checkpoint from, or with "" at the beginning, and saves new checkpoints. It is safe to repeat.`
	)
	end := both
	if slices.ContainsFunc(v.Tables, func(t *tableView) bool { return t.ReferencesFunc() != "" }) {
		end = refs + both
	}
	if len(v.Copied()) == 0 {
		return doc("%s returns, for migrate.Config, %s %s", v.Backfills, versions, end)
	}
	return doc("%s returns, for migrate.Config, %s It also returns %s %s", v.Backfills, tables, versions, end)
}
