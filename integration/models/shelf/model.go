// Package shelf has a versioned root with checked references in fields of every form, which a deletion of their targets clears.
package shelf

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Tag is a target with a key of text.
type Tag struct {
	aml.Aggregate `aml:"tags"`

	Name    string `aml:"name,identifier"`
	Version int64  `aml:"version,version"`
}

// Branch is a target with a key of two fields.
type Branch struct {
	aml.Aggregate `aml:"branches"`

	Country string `aml:"country,identifier"`
	Number  int32  `aml:"number,discriminator"`
	Version int64  `aml:"version,version"`
}

// Shelf refers to tags and branches.
type Shelf struct {
	aml.Aggregate `aml:"shelves"`

	ID      int32               `aml:"id,identifier"`
	Tag     *string             `aml:"tag,association=Tag,checked,ondelete=clear"`
	Country *string             `aml:"country,association=Branch.Country,checked,ondelete=clear"`
	Number  *int32              `aml:"number,association=Branch.Number,checked,ondelete=clear"`
	List    []string            `aml:"list,max=9,association=Tag,checked,ondelete=clear"`
	Set     []string            `aml:"'set',max=9,unique,association=Tag,checked,ondelete=clear"`
	Keys    map[string]struct{} `aml:"keys,max=9,association=Tag,checked,ondelete=clear"`
	Near    []BranchKey         `aml:"near,type=tuple,unique,max=9,association=Branch,checked,ondelete=clear"`
	Label   Label               `aml:"label,composition"`
	Maybe   *Label              `aml:"maybe,composition"`
	Labels  []Label             `aml:"labels,composition,max=9"`
	Unique  []Label             `aml:"uniq,composition,unique,max=9"`
	ByName  map[string]Label    `aml:"by_name,composition,max=9"`
	Box     Box                 `aml:"box,composition"`
	Version int64               `aml:"version,version"`
}

// BranchKey is the key of a branch.
type BranchKey struct {
	Country string
	Number  int32
}

// Label is a value with a reference.
type Label struct {
	Text string
	Tag  *string `aml:"tag,association=Tag,checked,ondelete=clear"`
}

// Box is a value with a value that has a reference.
type Box struct {
	Label   Label    `aml:"label,composition"`
	Tags    []string `aml:"tags,max=9,association=Tag,checked,ondelete=clear"`
	Country *string  `aml:"country,association=Branch.Country,checked,ondelete=clear"`
	Number  *int32   `aml:"number,association=Branch.Number,checked,ondelete=clear"`
}

// Owner is a target with a field that never changes.
type Owner struct {
	aml.Aggregate `aml:"owners"`

	ID      int32  `aml:"id,identifier"`
	City    string `aml:"city,final"`
	Version int64  `aml:"version,version"`
}

// Stand has parts, and refers to an owner, whose city it copies. It is deleted with its tag.
type Stand struct {
	aml.Aggregate `aml:"stands,headrow"`

	ID      int32   `aml:"id,identifier"`
	Owner   *int32  `aml:"owner,association=Owner,checked,ondelete=clear"`
	City    *string `aml:"city,copy=Owner.City"`
	Tag     *string `aml:"tag,association=Tag,checked,ondelete=cascade"`
	Version int64   `aml:"version,version"`
}

// Slot is a part of a stand.
type Slot struct {
	aml.Entity `aml:"stands,part=Stand,rows=1000"`

	StandID int32  `aml:"id,identifier"`
	Number  int32  `aml:"number,discriminator"`
	Text    string `aml:"slot_text,required"`
}

// SlotByText finds slots by their text.
type SlotByText struct {
	aml.Aggregate `aml:"slots_by_text,redundant=Slot"`

	Text    string `aml:"slot_text,identifier"`
	StandID int32  `aml:"id,discriminator"`
	Number  int32  `aml:"number,discriminator"`
}
