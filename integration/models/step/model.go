// Package step is a model of a root whose queries can delete ranges of rows together with their copies.
package step

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Step is a step of a plan.
type Step struct {
	aml.Aggregate `aml:"steps"`

	Plan   string   `aml:"plan,identifier"`
	Phase  int32    `aml:"phase,discriminator"`
	Number int32    `aml:"number,discriminator"`
	Tool   string   `aml:"tool,required"`
	Tags   []string `aml:"tags,unique,max=5"`
	Done   bool     `aml:"done"`
}

// ToolOfStep lists the tools of a plan in the order of its steps.
//
//aml:ignore AML902 a step has one writer
type ToolOfStep struct {
	aml.Aggregate `aml:"tools_of_steps,redundant=Step"`

	Plan   string `aml:"plan,identifier"`
	Phase  int32  `aml:"phase,discriminator"`
	Number int32  `aml:"number,discriminator,desc"`
	Tool   string `aml:"tool,discriminator"`
}

// StepWithTag finds the steps of a phase by their tags, as long as they are not done.
//
//aml:ignore AML902 a step has one writer
type StepWithTag struct {
	aml.Aggregate `aml:"steps_with_tag,redundant=Step.Tags,when=Step.Done = false"`

	Phase  int32  `aml:"phase,identifier,from=Step.Phase"`
	Plan   string `aml:"plan,identifier,from=Step.Plan"`
	Number int32  `aml:"number,discriminator,from=Step.Number"`
	Tag    string `aml:"tag,discriminator,from=Step.Tags.$value"`
}

// Board is a root with the rows of a part in its table.
type Board struct {
	aml.Aggregate `aml:"boards"`

	ID   int32  `aml:"id,identifier"`
	Name string `aml:"name,required"`
}

// Card is the part, without copies.
type Card struct {
	aml.Entity `aml:"boards,part=Board,rows=1000"`

	BoardID int32  `aml:"id,identifier"`
	Number  int32  `aml:"number,discriminator,desc"`
	Text    string `aml:"text"`
}
