package codegen

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"sync"
	"text/template"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Config configures the generation of a store. The zero value works.
type Config struct {
	// Prefix is put before every name that the generated file declares, for a package that has such names itself. It must be an
	// exported Go name.
	Prefix string
	// Driver is the driver of the sessions on which the store is opened: Gocql, which "" means, or Apache.
	Driver string
	// Package is the package of the store; nil if the store is in the package of the model.
	Package *Package
}

//go:embed template/*.tmpl
var templates embed.FS

var parsed = sync.OnceValues(func() (*template.Template, error) { return template.ParseFS(templates, "template/*.tmpl") })

// Generate returns the formatted source of aml_gen.go for the package of m, or for c.Package. If that package already declares a generated
// name, or cannot use a name of the model, Generate returns a diagnostic and no source. The output is deterministic.
func Generate(m *model.Model, s *schema.Schema, c Config) ([]byte, []model.Diagnostic, error) {
	v, faults, err := resolve(m, s, c)
	if v == nil {
		return nil, faults, err
	}
	t, err := parsed()
	if err != nil {
		return nil, nil, fmt.Errorf("codegen: read the templates: %w", err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "file.tmpl", v); err != nil {
		return nil, nil, fmt.Errorf("codegen: write package %s: %w", m.Package.Name, err)
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return nil, nil, fmt.Errorf("codegen: format package %s: %w", m.Package.Name, err)
	}
	return source, nil, nil
}

// resolve returns the view that the templates render, or why no store can be generated.
func resolve(m *model.Model, s *schema.Schema, c Config) (*view, []model.Diagnostic, error) {
	if c.Prefix != "" && !(token.IsIdentifier(c.Prefix) && token.IsExported(c.Prefix)) {
		return nil, nil, fmt.Errorf("codegen: prefix %q is not an exported Go name", c.Prefix)
	}
	if faults := model.NotExecuted(m); len(faults) > 0 {
		return nil, faults, nil
	}
	d, err := findDriver(c)
	if err != nil {
		return nil, nil, err
	}
	if faults := unreachable(m, s, c.Package); len(faults) > 0 {
		return nil, faults, nil
	}
	v := newView(m, s, c, d)
	if faults := v.names.faults(); len(faults) > 0 {
		return nil, faults, nil
	}
	return v, nil, nil
}

// Unfit returns the diagnostics that prevent the generation of a store from a valid model: the declarations that no store executes yet, as warnings,
// because the schema is correct; otherwise the names that would collide.
func Unfit(m *model.Model, s *schema.Schema, c Config) ([]model.Diagnostic, error) {
	if faults := model.Unexecuted(m); len(faults) > 0 {
		return faults, nil
	}
	_, faults, err := resolve(m, s, c)
	return faults, err
}
