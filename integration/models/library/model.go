// Package library has versioned roots with checked references to each other: restricted, cleared, and deleted with their target.
package library

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Author is a target. A paper restricts its deletion, or is changed by it. An author refers to another author and to a series, and is changed
// by their deletions.
type Author struct {
	aml.Aggregate `aml:"authors"`

	ID       int32  `aml:"id,identifier"`
	Name     string `aml:"name"`
	Mentor   *int32 `aml:"mentor,association=Author,checked,ondelete=clear"`
	Favorite *int32 `aml:"favorite,association=Series,checked,ondelete=clear"`
	Version  int64  `aml:"version,version"`
}

// Series is a target whose papers are deleted with it, and refers to other series and to an author, with which it is deleted.
type Series struct {
	aml.Aggregate `aml:"series"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name"`
	Parent  *int32 `aml:"parent,association=Series,checked,ondelete=cascade"`
	Owner   *int32 `aml:"owner,association=Author,checked,ondelete=cascade"`
	Version int64  `aml:"version,version"`
}

// Paper refers to authors and series.
type Paper struct {
	aml.Aggregate `aml:"papers"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name"`
	Author  *int32  `aml:"author,association=Author,checked,rows=100000"`
	Editor  *int32  `aml:"editor,association=Author,checked,ondelete=clear"`
	Series  *int32  `aml:"series,association=Series,checked,ondelete=cascade"`
	Readers []int32 `aml:"readers,unique,max=5,association=Author,checked,ondelete=clear"`
	Version int64   `aml:"version,version"`
}

// PaperOfSeries is a copy of a paper.
type PaperOfSeries struct {
	aml.Aggregate `aml:"papers_of_series,redundant=Paper,when=Paper.Series"`

	Series int32  `aml:"series,identifier"`
	ID     int32  `aml:"id,discriminator"`
	Name   string `aml:"name"`
}
