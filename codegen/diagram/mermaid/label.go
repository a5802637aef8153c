package mermaid

import (
	"cmp"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// labels makes the labels of boxes. If several packages have the same name, the name follows the label of its package.
type labels struct {
	packages map[string]string          // the labels of the packages; the keys are their paths
	paths    map[string]map[string]bool // the paths of the packages that contain a name; the keys are the names
}

func newLabels(models []diagram.Model) *labels {
	return &labels{diagram.LabelsByPath(models), map[string]map[string]bool{}}
}

// add records that a package contains a name.
func (l *labels) add(path, name string) {
	if l.paths[name] == nil {
		l.paths[name] = map[string]bool{}
	}
	l.paths[name][path] = true
}

// label returns the label of a name in a package.
func (l *labels) label(path, name string) string {
	if len(l.paths[name]) < 2 {
		return name
	}
	return cmp.Or(l.packages[path], path) + "." + name
}
