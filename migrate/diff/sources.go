package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// sources are the columns of an earlier table that those of another take the values of.
type sources struct {
	old, new *schema.Table
	of       map[*schema.Column]*schema.Column // by the columns of new; nil is none
}

// sources finds them, or says why nothing general can be said.
func (p *planner) sources(old, t *schema.Table) (*sources, string) {
	s := &sources{old: old, new: t, of: map[*schema.Column]*schema.Column{}}
	for _, c := range t.Columns {
		if other := s.changesPlaces(c); other != "" {
			return s, fmt.Sprintf("columns %s and %s change places, and %s does not tell which values are of which", c.Name, other, old.Name)
		}
		was := p.source(old, t, c)
		if was != "" && was != c.Name && catalog.Column(old, c.Name) != nil && p.laterThan(old.Name, was, old.Name, c.Name) {
			return s, fmt.Sprintf("%s has columns %s and %s, and the folder does not tell which of them has the values", old.Name, was, c.Name)
		}
		if was != "" && catalog.Column(old, c.Name) == nil {
			s.of[c] = catalog.Column(old, was)
		} else if was != "" || !s.claimed(c.Name) {
			s.of[c] = catalog.Column(old, c.Name)
		}
	}
	return s, s.merges()
}

// claimed reports whether was= gives an earlier column to one of another name.
func (s *sources) claimed(name string) bool {
	return slices.ContainsFunc(s.new.Columns, func(c *schema.Column) bool {
		return c.Name != name && c.Attribute != nil && c.Attribute.Was == name
	})
}

// changesPlaces names the column whose name was= gives to another, and that in the end takes the name of that, by was=, too;
// "" for none.
func (s *sources) changesPlaces(c *schema.Column) string {
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

// merges returns why rows would become one row, or share what was of each; "" where they do not.
func (s *sources) merges() string {
	for _, c := range s.new.Key() {
		if s.of[c] == nil {
			return fmt.Sprintf("no column of %s becomes %s, of the primary key", s.old.Name, c.Name)
		}
	}
	for _, c := range s.old.Key() {
		if !s.within(c, s.new.Key()) {
			return fmt.Sprintf("rows of %s that differ in %s alone would become one row of %s", s.old.Name, c.Name, s.new.Name)
		}
	}
	for _, c := range s.new.Columns {
		if apart := s.shared(c); len(apart) > 0 {
			return fmt.Sprintf("column %s of %s is static: rows of %s that differ in %s would share one value of it", c.Name, s.new.Name, s.old.Name, strings.Join(apart, " or "))
		}
	}
	return ""
}

// shared names the columns of the earlier key that tell values apart of which a static column has one for them all.
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
		if !s.within(key, s.new.PartitionKey) {
			out = append(out, key.Name)
		}
	}
	return out
}

// within reports whether one of some columns takes the values of a column.
func (s *sources) within(was *schema.Column, columns []*schema.Column) bool {
	return slices.ContainsFunc(columns, func(c *schema.Column) bool { return s.of[c] == was })
}

// takes reports whether a column of the earlier table goes anywhere.
func (s *sources) takes(c *schema.Column) bool { return s.within(c, s.new.Columns) }
