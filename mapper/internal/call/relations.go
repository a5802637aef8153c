package call

import (
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// Relations are the roots of a store that refer to each other by checked references, or of which one has copies of fields of another.
type Relations struct {
	roots   map[string]*Source  // the keys are the names of their tables
	holders map[string][]Holder // the references to a root, by the name of its table; those that restrict its deletion first
}

// Holder is a checked reference of one root to another.
type Holder struct {
	*Source
	*plan.CheckedReference
}

// NewRelations returns the relations of roots.
func NewRelations(roots ...*Source) *Relations {
	out := &Relations{roots: map[string]*Source{}, holders: map[string][]Holder{}}
	for _, s := range roots {
		out.roots[s.Aggregate.Root.Name] = s
		if s.Aggregate.Versioning == nil {
			continue
		}
		for i := range s.Aggregate.Versioning.References {
			r := &s.Aggregate.Versioning.References[i]
			out.holders[r.Target] = append(out.holders[r.Target], Holder{s, r})
		}
	}
	for _, all := range out.holders {
		slices.SortStableFunc(all, func(a, b Holder) int { return restricts(b) - restricts(a) })
	}
	return out
}

func restricts(h Holder) int {
	if h.OnDelete == descriptor.Restrict {
		return 1
	}
	return 0
}

// Relate sets the relations of the roots of the store.
func (db *DB) Relate(r *Relations) { db.relations = r }

// Root returns the root with a table.
func (r *Relations) Root(table string) *Source { return r.roots[table] }

// RelatedRoot returns the root with a table to which a reference refers.
func (db *DB) RelatedRoot(table string) *Source { return db.relations.Root(table) }

// TargetName returns the name of a root to which a reference refers, by its table and its key.
func (db *DB) TargetName(table string, key cell.Row) string {
	t := db.RelatedRoot(table).Codec.Table
	return rowname.Format(t.Aggregate, t.Name, t.KeyText(key))
}

// MissingTarget returns the violation of a row with a reference to a root that does not exist.
func (db *DB) MissingTarget(field, table string, key cell.Row) mapper.Violation {
	return mapper.Violation{Path: field, Problem: "is a reference, and there is no " + db.TargetName(table, key)}
}

// Holders returns the references to the root with a table.
func (db *DB) Holders(table string) []Holder {
	if db.relations == nil {
		return nil
	}
	return db.relations.holders[table]
}

// Buckets returns the number of partitions of a reverse table that can have rows of one target: of this release, or of a later one that has
// changed the table before the store was opened.
func (db *DB) Buckets(t *plan.Table) int { return max(t.Buckets, db.buckets[t.Name]) }

// Reverse returns the store with a consistency at which a row of a reverse table that one client has written is read by any other client that
// makes conditional statements: with a serial consistency of all data centers, a quorum of one of them is not enough.
func (db *DB) Reverse() *DB {
	if db.Config.SerialConsistency != driver.Serial || db.Config.Consistency != driver.LocalQuorum {
		return db
	}
	out := *db
	out.Config.Consistency = driver.Quorum
	return &out
}
