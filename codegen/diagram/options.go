package diagram

import (
	"path/filepath"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// Options select the parts of models that are drawn.
type Options struct {
	Roots []string          // Go names of the roots, which are drawn with their parts and redundant aggregates; nil: all
	Focus *Focus            // one aggregate with its neighbours, if Roots is nil; nil: all
	Types Types             // the names of types in the notations of aggregates
	Link  func(Node) string // returns the address that a box links to, or "" for none; nil: no box is a link
	// The queries of the application, which diagrams of tables show with the tables that answer them; nil: none.
	Workflow []Query

	File string // the name of the file of the first picture; the boxes of an overview link to the files of the others

	queries map[*schema.Schema]queries
}

// Drawing is one picture of a model.
type Drawing struct {
	Root string // the root that is drawn; "" for the whole model, or for the overview of a large one
	*Picture
}

// File returns the name of the file of the drawing, such as shop-Customer.svg. first is the name of the file of the first drawing, such as shop.svg.
func (d *Drawing) File(first string) string {
	if d.Root == "" {
		return first
	}
	ext := filepath.Ext(first)
	return strings.TrimSuffix(first, ext) + "-" + strings.ReplaceAll(d.Root, "/", "-") + ext // a name can have the path of its package
}
