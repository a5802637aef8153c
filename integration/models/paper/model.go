// Package paper has the references of papers: to one root and to many, by one field and by several, in compositions and in
// alternatives, and the tables that answer which papers refer to a root.
package paper

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Author writes papers. A mentor is another author.
type Author struct {
	aml.Aggregate `aml:"authors"`

	ID     int32  `aml:"id,identifier"`
	Name   string `aml:"name,required"`
	Mentor *int32 `aml:"mentor,association=Author"`
}

// Publisher is a versioned root.
type Publisher struct {
	aml.Aggregate `aml:"publishers"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Version int64      `aml:"version,version"`
}

// Book has a key of two columns.
type Book struct {
	aml.Aggregate `aml:"books"`

	Shelf  string `aml:"shelf,identifier"`
	Number int32  `aml:"number,discriminator"`
	Title  string `aml:"title"`
}

// Account has a secret key.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	Code string `aml:"code,identifier,secret"`
	Name string `aml:"name"`
}

// Paper refers to the others.
type Paper struct {
	aml.Aggregate `aml:"papers"`

	ID          int64              `aml:"id,identifier"`
	Title       string             `aml:"title"`
	Author      *int32             `aml:"author,association=Author"`
	PublisherID gocql.UUID         `aml:"publisher_id,association=Publisher,index"` //aml:ignore AML907 there are few publishers
	CitedNumber int32              `aml:"cited_number,association=Book.Number"`
	CitedShelf  string             `aml:"cited_shelf,association=Book.Shelf"`
	Reviewers   []int32            `aml:"reviewers,association=Author,max=200"`
	Editors     map[int32]struct{} `aml:"editors,association=Author,max=20"`
	Sources     []BookKey          `aml:"sources,association=Book,type=tuple,unique,max=20"`
	Contact     *Contact           `aml:"contact,composition"`
	Quotes      []Quote            `aml:"quotes,composition,max=20"`
	Notes       map[string]Quote   `aml:"notes,composition,max=20"`
	Person      *int32             `aml:"person,association=Author,xor=Sponsor"`
	Company     *gocql.UUID        `aml:"company,association=Publisher,xor=Sponsor"`
	Ghost       *int32             `aml:"ghost,association=Author,secret"`
	Account     string             `aml:"account,association=Account"`
}

// BookKey is the key of a book.
type BookKey struct {
	Shelf  string
	Number int32
}

// Contact is a value object with a reference.
type Contact struct {
	Phone    string
	AuthorID *int32 `aml:"author_id,association=Author"`
}

// Quote is an element with a reference.
type Quote struct {
	Text string
	By   *int32 `aml:"by,association=Author"`
}

// PaperByAuthor has the papers of an author, with their publishers.
//
//aml:ignore AML902 one program at a time changes a paper
type PaperByAuthor struct {
	aml.Aggregate `aml:"papers_by_author,redundant=Paper,when=Paper.Author"`

	Author    int32      `aml:"author,identifier"`
	ID        int64      `aml:"id,discriminator"`
	Title     string     `aml:"title"`
	Publisher gocql.UUID `aml:"publisher,from=Paper.PublisherID"`
}

// PaperByReviewer has a row for each reviewer of each paper.
//
//aml:ignore AML902 one program at a time changes a paper
type PaperByReviewer struct {
	aml.Aggregate `aml:"papers_by_reviewer,redundant=Paper.Reviewers"`

	Reviewer int32  `aml:"reviewer,identifier,from=Paper.Reviewers.$value"`
	ID       int64  `aml:"id,discriminator,from=Paper.ID"`
	Shelf    string `aml:"shelf,from=Paper.CitedShelf"`
}

// PaperBySource has a row for each source of each paper.
//
//aml:ignore AML902 one program at a time changes a paper
type PaperBySource struct {
	aml.Aggregate `aml:"papers_by_source,redundant=Paper.Sources,distinct"`

	Shelf  string `aml:"shelf,identifier"`
	Number int32  `aml:"number,identifier"`
	ID     int64  `aml:"id,discriminator,from=Paper.ID"`
}

// Cover is a view of a paper, without its key.
type Cover struct {
	aml.Aggregate `aml:",of=Paper"`

	Title  string
	Author *int32
	Quotes []Quote `aml:",composition"`
}
