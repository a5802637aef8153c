package jsonline

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
)

// Diagnostic is the documented form of a diagnostic.
type Diagnostic struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Fix      string `json:"fix"`
}

// NewDiagnostic returns the documented form of a diagnostic of a model.
func NewDiagnostic(d model.Diagnostic) Diagnostic {
	severity := "refusal"
	if d.Rule.Severity == model.Warning {
		severity = "warning"
	}
	return Diagnostic{filepath.ToSlash(d.Pos.File), d.Pos.Line, d.Pos.Col, d.Rule.Code, severity, d.What, d.Fix}
}

// WriteDiagnostics writes a line for each diagnostic.
func WriteDiagnostics(c *cobra.Command, list []model.Diagnostic) error {
	return Write(c, Map(list, NewDiagnostic)...)
}
