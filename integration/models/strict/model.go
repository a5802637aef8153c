// Package strict is a model that does not accept every value: its methods panic for the zero value, and for the names that a test
// refuses, and its rules refuse values that are not nil, but are stored as null.
package strict

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// refused contains names.
var refused sync.Map

// called reports whether a method was called.
var called atomic.Bool

// Called reports whether a method was called.
func Called() bool { return called.Load() }

// Refuse makes all methods fail for a name until the returned function is called, as a later release of a method can do.
func Refuse(name string) (accept func()) {
	refused.Store(name, true)
	return func() { refused.Delete(name) }
}

// letter returns the first letter of a name, which must not be empty.
func letter(name string) string {
	called.Store(true)
	if _, is := refused.Load(name); is {
		panic("the name is " + name)
	}
	return name[:1]
}

// Film has copies that derive from methods.
type Film struct {
	aml.Aggregate `aml:"films"`

	ID   int32    `aml:"id,identifier"`
	Name string   `aml:"name,required"`
	Kind Kind     `aml:"kind,enum"`
	Year int32    `aml:"year"`
	Tags []string `aml:"tags,unique,max=9"`
}

// Kind is a kind of film.
type Kind int32

// The kinds.
const (
	Short Kind = iota
	Long
)

// Letter returns the first letter of the name.
func (f Film) Letter() string { return letter(f.Name) }

// Words returns the words of the name.
func (f *Film) Words() []string { return strings.Split(f.Name, " ")[:max(1, len(letter(f.Name)))] }

// KindName has a name for each declared kind.
func (f Film) KindName() string { return []string{"short", "long"}[f.Kind] }

// FilmByLetter has a method in its key.
type FilmByLetter struct {
	aml.Aggregate `aml:"films_by_letter,redundant=Film"`

	Letter string `aml:"letter,identifier,from=Film.Letter()"`
	ID     int32  `aml:"id,discriminator"`
	Name   string
}

// FilmByWord has a row for each result of a method.
type FilmByWord struct {
	aml.Aggregate `aml:"films_by_word,redundant=Film.Words()"`

	Word string `aml:"word,identifier,from=Film.Words().$value"`
	ID   int32  `aml:"id,discriminator,from=Film.ID"`
	Kind string `aml:"kind,from=Film.KindName()"`
}

// FilmByYear derives from no method.
type FilmByYear struct {
	aml.Aggregate `aml:"films_by_year,redundant=Film"`

	Year int32 `aml:"year,identifier"`
	ID   int32 `aml:"id,discriminator"`
	Name string
}

// Scene is a part with a copy.
type Scene struct {
	aml.Entity `aml:"scenes,part=Film,rows=400"`

	FilmID int32  `aml:"film_id,identifier"`
	Number int32  `aml:"number,discriminator"`
	Name   string `aml:"name,required"`
}

// Letter returns the first letter of the name.
func (s Scene) Letter() string { return letter(s.Name) }

// SceneByLetter has a method in its key.
type SceneByLetter struct {
	aml.Aggregate `aml:"scenes_by_letter,redundant=Scene"`

	Letter string `aml:"letter,identifier,from=Scene.Letter()"`
	FilmID int32  `aml:"film_id,discriminator"`
	Number int32  `aml:"number,discriminator"`
}

// Code is a type that does not encode its zero value.
type Code struct{ text *string }

// NewCode returns a code.
func NewCode(text string) Code { return Code{&text} }

// String returns the text of a code.
func (c Code) String() string { return *c.text }

// MarshalText panics for the zero value.
func (c Code) MarshalText() ([]byte, error) {
	called.Store(true)
	return []byte(*c.text), nil
}

// UnmarshalText panics for the text "panic".
func (c *Code) UnmarshalText(text []byte) error {
	if string(text) == "panic" {
		panic(errors.New("it is panic"))
	}
	*c = NewCode(string(text))
	return nil
}

// Room has a static column, a secret field and methods.
type Room struct {
	aml.Aggregate `aml:"rooms"`

	House  string `aml:"house,identifier"`
	Number int32  `aml:"number,discriminator"`
	Owner  Code   `aml:"owner,static,type=text"`
	Name   string `aml:"name,required,secret"`
	Door   *Code  `aml:"door,type=text"`
}

// Letter returns the first letter of the name. It panics for the name "no words".
func (r Room) Letter() string {
	if r.Name == "no words" {
		panic("the name is " + r.Name)
	}
	return r.Name[:1]
}

// RoomByLetter has a method in its key.
type RoomByLetter struct {
	aml.Aggregate `aml:"rooms_by_letter,redundant=Room"`

	Letter string `aml:"letter,identifier,from=Room.Letter()"`
	House  string `aml:"house,discriminator"`
	Number int32  `aml:"number,discriminator"`
}

// Account is a versioned root.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID      int32  `aml:"id,identifier"`
	Email   string `aml:"email,unique"`
	Name    string `aml:"name,required"`
	City    string `aml:"city"`
	Version int64  `aml:"version,version"`
}

// Letter returns the first letter of the name.
func (a Account) Letter() string { return letter(a.Name) }

// AccountByLetter has a method in its key.
type AccountByLetter struct {
	aml.Aggregate `aml:"accounts_by_letter,redundant=Account"`

	Letter string `aml:"letter,identifier,from=Account.Letter()"`
	ID     int32  `aml:"id,discriminator"`
	City   string
}

// AccountByID derives from no method.
type AccountByID struct {
	aml.Aggregate `aml:"accounts_by_id,redundant=Account"`

	ID   int32 `aml:"id,identifier"`
	City string
}

// Song is a root that the methods for single fields and elements can create without its name.
type Song struct {
	aml.Aggregate `aml:"songs"`

	ID   int32    `aml:"id,identifier"`
	Name string   `aml:"name,required"`
	Note string   `aml:"note"`
	Tags []string `aml:"tags,unique,max=9"`
}

// Letter returns the first letter of the name.
func (s Song) Letter() string { return s.Name[:1] }

// SongByLetter has a method in its key.
type SongByLetter struct {
	aml.Aggregate `aml:"songs_by_letter,redundant=Song"`

	Letter string `aml:"letter,identifier,from=Song.Letter()"`
	ID     int32  `aml:"id,discriminator"`
	Name   string
}

// SongByTag needs the row if an element is added.
type SongByTag struct {
	aml.Aggregate `aml:"songs_by_tag,redundant=Song.Tags"`

	Tag    string `aml:"tag,identifier,from=Song.Tags.$value"`
	ID     int32  `aml:"id,discriminator,from=Song.ID"`
	Letter string `aml:"letter,from=Song.Letter()"`
	Name   string `aml:"name,from=Song.Name"`
}
