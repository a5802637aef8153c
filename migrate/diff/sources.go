package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// sources are the columns of an earlier table from which the columns of a new table are copied.
type sources struct {
	old, new *schema.Table
	of       map[*schema.Column]*schema.Column // the key is a column of new; nil for a column that is not copied
}

// sources finds the sources, or returns why they cannot be determined.
func (p *planner) sources(old, t *schema.Table) (*sources, string) {
	s := &sources{old: old, new: t, of: map[*schema.Column]*schema.Column{}}
	for _, c := range t.Columns {
		if other := s.exchanged(c); other != "" {
			return s, fmt.Sprintf("columns %s and %s exchange names, and the rows of %s do not show which values belong to which", c.Name, other, old.Name)
		}
		was := p.source(old, t, c)
		if was != "" && was != c.Name && catalog.Column(old, c.Name) != nil && p.laterThan(old.Name, was, old.Name, c.Name) {
			return s, fmt.Sprintf("%s has columns %s and %s, and the folder does not show which of them has the values", old.Name, was, c.Name)
		}
		if was != "" && catalog.Column(old, c.Name) == nil {
			s.of[c] = catalog.Column(old, was)
		} else if was != "" || !s.claimed(c.Name) {
			s.of[c] = catalog.Column(old, c.Name)
		}
	}
	return s, s.merges()
}

// claimed reports whether a column with another name has an earlier column in its was=.
func (s *sources) claimed(name string) bool {
	return slices.ContainsFunc(s.new.Columns, func(c *schema.Column) bool {
		return c.Name != name && c.Attribute != nil && c.Attribute.Was == name
	})
}

// exchanged returns the was= of a column if a chain of was= leads from it back to the column; "" if it does not.
func (s *sources) exchanged(c *schema.Column) string {
	was := func(c *schema.Column) string {
		if c == nil || c.Attribute == nil || catalog.Column(s.old, c.Name) == nil {
			return ""
		}
		return c.Attribute.Was
	}
	first, next := was(c), was(c)
	for range s.new.Columns {
		if next == "" || first == c.Name {
			return ""
		}
		if next == c.Name {
			return first
		}
		next = was(catalog.Column(s.new, next))
	}
	return ""
}

// merges returns why several rows would become one row, or would share a value; "" if they would not.
func (s *sources) merges() string {
	for _, c := range s.new.Key() {
		if s.of[c] == nil && !(c.Name == schema.Head && c.Attribute == nil) {
			return fmt.Sprintf("no column of %s is copied to %s, which is part of the primary key", s.old.Name, c.Name)
		}
	}
	for _, c := range s.old.Key() {
		if !s.copiedTo(c, s.new.Key()) {
			return fmt.Sprintf("rows of %s that differ only in %s would become one row of %s", s.old.Name, c.Name, s.new.Name)
		}
	}
	for _, c := range s.new.Columns {
		if apart := s.shared(c); len(apart) > 0 {
			return fmt.Sprintf("column %s of %s is static: rows of %s that differ in %s would share one value", c.Name, s.new.Name, s.old.Name, strings.Join(apart, " or "))
		}
	}
	return ""
}

// shared returns the columns of the earlier key by which values differ that would become one value of a static column.
func (s *sources) shared(c *schema.Column) []string {
	was := s.of[c]
	if c.Kind != schema.Static || was == nil {
		return nil
	}
	of := s.old.Key()
	if was.Kind == schema.Static || was.Kind == schema.PartitionKey {
		of = s.old.PartitionKey
	}
	var out []string
	for _, key := range of {
		if !s.copiedTo(key, s.new.PartitionKey) {
			out = append(out, key.Name)
		}
	}
	return out
}

// copiedTo reports whether a column is copied to one of the columns.
func (s *sources) copiedTo(was *schema.Column, columns []*schema.Column) bool {
	return slices.ContainsFunc(columns, func(c *schema.Column) bool { return s.of[c] == was })
}

// copies reports whether a column of the earlier table is copied.
func (s *sources) copies(c *schema.Column) bool { return s.copiedTo(c, s.new.Columns) }
