package corpus

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/cassaml/cassaml/internal/models"
)

// Module is the path of the Go module that Write creates.
const Module = "example.com/corpus"

//go:embed kinds.go.txt
var kinds []byte

// Imports returns the types of all packages that models import.
func Imports() (*models.Imports, error) { return ImportsWith() }

// ImportsWith returns the types of all packages that models import, and of other packages.
func ImportsWith(more ...string) (*models.Imports, error) {
	paths := append([]string{"database/sql/driver"}, more...) // package kinds imports it
	for name, path := range libraries {
		if name != "kinds" {
			paths = append(paths, path)
		}
	}
	known, err := models.Load(".", paths...)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return known, known.Add(libraries["kinds"], "kinds.go", kinds)
}

// Write creates a Go module in dir with one package for each model and the shared package kinds. It returns the folders of
// the packages. Root is the folder of this project, whose dependencies the module has.
func Write(dir, root string, all []*Model) ([]string, error) {
	files := map[string][]byte{"kinds/kinds.go": kinds}
	var folders []string
	for _, m := range all {
		folders = append(folders, filepath.Join(dir, m.Name))
		files[m.Name+"/model.go"] = m.Source()
	}
	return folders, WriteModule(dir, root, files)
}

// WriteModule creates a Go module in dir with files, by their names with slashes. It has the dependencies of this project, whose folder
// is root.
func WriteModule(dir, root string, files map[string][]byte) error {
	module, err := moduleFiles(root)
	if err != nil {
		return fmt.Errorf("corpus: %w", err)
	}
	maps.Copy(module, files)
	for name, text := range module {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("corpus: %w", err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return fmt.Errorf("corpus: %w", err)
		}
	}
	return nil
}

// moduleFiles returns go.mod and go.sum of a module with this project and its dependencies.
func moduleFiles(root string) (map[string][]byte, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	const project = "github.com/cassaml/cassaml"
	text := "module " + Module + "\n" + requirements + "\nrequire " + project + " v0.0.0\n\nreplace " + project + " => " + root + "\n"
	return map[string][]byte{"go.mod": []byte(text), "go.sum": sum}, nil
}
