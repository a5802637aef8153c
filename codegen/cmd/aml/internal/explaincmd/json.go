package explaincmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/explain"
)

// packageJSON is the documented form of the first line of a package.
type packageJSON struct {
	Kind       string                `json:"kind"` // package
	Package    string                `json:"package"`
	Folder     string                `json:"folder"`
	Statements int                   `json:"statements"`
	Missing    []jsonline.Diagnostic `json:"not_executed"`
}

// writeJSON writes a line for the package, a line for each table, and a line for each of its methods and fields.
func writeJSON(c *cobra.Command, dir, path string, e *explain.Explanation) error {
	p := packageJSON{"package", path, filepath.ToSlash(filepath.Clean(dir)), e.Statements(), jsonline.Map(e.Missing, jsonline.NewDiagnostic)}
	if err := jsonline.Write(c, p); err != nil {
		return err
	}
	for _, t := range e.Tables {
		line := newTableJSON(path, t.Table)
		line.Copies, line.Uniques = jsonline.Map(t.Copies, newCopyJSON), jsonline.Map(t.Uniques, newUniqueJSON)
		line.No = jsonline.Map(t.No, newNoMethodJSON)
		line.Methods = jsonline.Map(t.Methods, func(m explain.Method) methodJSON { return methodJSON{m.Name, m.Fields, m.Everything} })
		if err := jsonline.Write(c, line); err != nil {
			return err
		}
		if err := writeTableJSON(c, line, t.Operations, t.Fields); err != nil {
			return err
		}
	}
	for _, v := range e.Views {
		line := newTableJSON(path, v.Table)
		line.No = jsonline.Map(v.No, newNoMethodJSON)
		line.Struct, line.Role, line.Of = v.Model.Struct.Name, "view", v.Table.Aggregate.Struct.Name
		if err := jsonline.Write(c, line); err != nil {
			return err
		}
		if err := writeTableJSON(c, line, v.Operations, nil); err != nil {
			return err
		}
	}
	return writeBatchJSON(c, path, e.Batch)
}
