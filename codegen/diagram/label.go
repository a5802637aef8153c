package diagram

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// PackageLabels returns a name for each package that none of the others has: its name or, if several packages have this name, the shortest
// end of its path that distinguishes it from them, such as approach1/fleet.
func PackageLabels(models []Model) []string {
	out := make([]string, len(models))
	for i, m := range models {
		var namesakes []string
		for j, other := range models {
			if i != j && other.Package.Name == m.Package.Name {
				namesakes = append(namesakes, other.Package.Path)
			}
		}
		out[i] = PlainText(packageLabel(m.Package, namesakes))
	}
	return out
}

// LabelsByPath returns the labels of packages by their paths.
func LabelsByPath(models []Model) map[string]string {
	out := map[string]string{}
	for i, label := range PackageLabels(models) {
		out[models[i].Package.Path] = label
	}
	return out
}

func packageLabel(p *model.Package, namesakes []string) string {
	if len(namesakes) == 0 {
		return p.Name
	}
	parts := strings.Split(p.Path, "/")
	for n := 1; n < len(parts); n++ {
		label := strings.Join(parts[len(parts)-n:], "/")
		if !slices.ContainsFunc(namesakes, func(path string) bool { return path == label || strings.HasSuffix(path, "/"+label) }) {
			return label
		}
	}
	return p.Path
}
