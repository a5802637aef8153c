package site

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// Input has the models that a site describes.
type Input struct {
	Title  string // "": the names of the packages
	Models []Model
}

// Model is a model without refusals, and its migrations.
type Model struct {
	diagram.Model
	Warnings   []model.Diagnostic // those that no comment silences
	Migrations []Migration        // nil: none
	Queries    []diagram.Query    // the queries of the application; nil: none
}

// Migration is a file of migrations.
type Migration struct {
	Name     string
	Steps    []Step
	Findings []Finding // findings that concern no statement
}

// Step is a statement of a migration, a call of a Go function, or a directive.
type Step struct {
	Line      int
	CQL       string // set for a statement
	Func      string // set for a call
	Directive string // the comment
	Findings  []Finding
}

// Finding is an effect of a migration that needs a decision.
type Finding struct {
	Line    int
	Code    string
	Message string
	Fix     string
}
