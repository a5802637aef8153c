package memory

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// finder decides which values of a column an index finds.
type finder struct {
	store.Find
	compare *cell.Form
	folded  cell.Cell // the value to find, in the form in which texts are compared
}

// newFinder prepares a read by an index. For nearest vectors it finds all rows, which are sorted later.
func newFinder(r *store.Read, types types) (*finder, error) {
	f := &finder{Find: r.Find}
	var err error
	switch t := r.Table.Columns[f.Index.Column].Type; f.Index.Read {
	case projection.Contains:
		f.compare, err = types.ofElements(t)
	case projection.Equals:
		f.compare, err = form.Parse(t, types)
	}
	if err != nil {
		return nil, err
	}
	f.folded, err = fold(f.Index, f.Value)
	return f, err
}

// finds reports whether the index finds a value of its column.
func (f *finder) finds(c cell.Cell) (bool, error) {
	switch {
	case c == nil:
		return false, nil
	case f.Index.Read == projection.Near:
		return true, nil
	case f.Index.Read == projection.Equals:
		return f.equals(c)
	}
	for e := range elements(c, 1) {
		if found, err := f.equals(e[0]); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

func (f *finder) equals(c cell.Cell) (bool, error) {
	c, err := fold(f.Index, c)
	return err == nil && f.compare.Compare(c, f.folded) == 0, err
}

// errFold is returned for a text beyond ASCII, which this package cannot normalize.
var errFold = errors.New("memory: texts beyond ASCII cannot be found by an index with normalize or ascii: test it on a real node")

// fold returns a text in the form that an index compares.
func fold(i *descriptor.Index, c cell.Cell) (cell.Cell, error) {
	if (i.Normal || i.ASCII) && bytes.ContainsFunc(c, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return nil, errFold
	}
	if i.AnyCase {
		return cell.Cell(strings.Map(unicode.ToLower, string(c))), nil
	}
	return c, nil
}

// checkVectors refuses to write vectors that the server refuses.
func checkVectors(m *plan.Mutation) error {
	for i := range m.Table.Indexes {
		x := &m.Table.Indexes[i]
		if x.Read != projection.Near || m.Action != plan.Put || !(x.Column < m.Table.Key || m.Write.Has(x.Column)) {
			continue
		}
		if problem := plan.Refuses(x, *m.Cell(x.Column)); problem != "" {
			return fmt.Errorf("memory: %s of table %s %s", m.Table.Columns[x.Column].Name, m.Table.Name, problem)
		}
	}
	return nil
}
