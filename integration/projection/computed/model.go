package computed

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Video is found by the bucket of its length.
type Video struct {
	aml.Aggregate `aml:"videos"`

	ID      int32 `aml:"id,identifier"`
	Minutes int32
	Title   string
}

// Hour returns the bucket.
func (v Video) Hour() int32 { return v.Minutes / 60 }

// Label returns the value of a column; nil is null.
func (v Video) Label() *string {
	if v.Title == "" {
		return nil
	}
	label := strings.ToUpper(v.Title)
	return &label
}

// VideoByHour has the bucket in its key.
type VideoByHour struct {
	aml.Aggregate `aml:"videos_by_hour,redundant=Video"`

	Hour  int32 `aml:"hour,identifier,from=Video.Hour()"`
	ID    int32 `aml:"id,discriminator"`
	Title string
	Label *string `aml:"label,from=Video.Label()"`
}

// Post is found by each of its words.
type Post struct {
	aml.Aggregate `aml:"posts"`

	ID    int32 `aml:"id,identifier"`
	Text  string
	Likes int32
}

// Words returns the words of the text.
func (p *Post) Words() []string { return strings.Fields(p.Text) }

// Loud is a condition.
func (p *Post) Loud() bool { return p.Likes > 0 }

// PostByWord has a row for each word.
type PostByWord struct {
	aml.Aggregate `aml:"posts_by_word,redundant=Post.Words(),when=Post.Loud()"`

	Word  string `aml:"word,identifier,from=Post.Words().$value"`
	ID    int32  `aml:"id,discriminator,from=Post.ID"`
	Likes int32  `aml:"likes,from=Post.Likes"`
}

// Trip is found by each of its legs.
type Trip struct {
	aml.Aggregate `aml:"trips"`

	ID    int32             `aml:"id,identifier"`
	Stops map[string]string // actions by place
	Pace  int32
}

// Leg is the result of a method of Trip. No column contains it.
type Leg struct {
	Stop  string
	Price *int32
}

// Legs returns a leg for each stop.
func (t Trip) Legs() []Leg {
	var out []Leg
	for _, stop := range []string{"a", "b", "c"} {
		if what, ok := t.Stops[stop]; ok {
			l := Leg{Stop: stop}
			if price := t.Pace * int32(len(what)); price > 0 {
				l.Price = &price
			}
			out = append(out, l)
		}
	}
	return out
}

// LegOfTrip has a row for each leg.
type LegOfTrip struct {
	aml.Aggregate `aml:"legs,redundant=Trip.Legs()"`

	Stop  string `aml:"stop,identifier"`
	ID    int32  `aml:"id,discriminator,from=Trip.ID"`
	Price *int32
	Pace  int32 `aml:"pace,from=Trip.Pace"`
}

// Task is found until it is done.
type Task struct {
	aml.Aggregate `aml:"tasks"`

	ID   int32 `aml:"id,identifier"`
	Open bool
	Mine bool
}

// ToDo depends on two fields.
func (t Task) ToDo() bool { return t.Open && t.Mine }

// TaskToDo has a row for each task that is not done.
type TaskToDo struct {
	aml.Aggregate `aml:"tasks_to_do,redundant=Task,when=Task.ToDo()"`

	ID int32 `aml:"id,identifier"`
}

// Status is the state of an errand.
type Status string

// The states.
const (
	Waiting Status = "waiting"
	Running Status = "running"
	Done    Status = "done"
)

// Errand is found while it is not done.
type Errand struct {
	aml.Aggregate `aml:"errands"`

	ID     int32   `aml:"id,identifier"`
	Status *Status `aml:"status"`
	Title  string
	Note   string
}

// OpenErrand has a row for each errand that is not done.
type OpenErrand struct {
	aml.Aggregate `aml:"open_errands,redundant=Errand,when='Errand.Status in (Waiting, Running)'"`

	ID    int32 `aml:"id,identifier"`
	Title string
	Label string `aml:"label,from=Errand.Loud()"`
	Kind  string `aml:"kind,from=Errand.Kind()"`
}

// Loud reads one field, through another method.
func (e *Errand) Loud() string { return e.upper() + "!" }

func (e Errand) upper() string { return strings.ToUpper(e.Title) }

// Kind reads no field.
func (Errand) Kind() string { return "errand" }

// Pledge has fields that only Insert sets, and states that are constants.
type Pledge struct {
	aml.Aggregate `aml:"pledges"`

	ID     int32   `aml:"id,identifier"`
	Email  string  `aml:"email,required,final"`
	Nick   *string `aml:"nick,final,secret"`
	Status Status  `aml:"status,enum"`
	Level  *Level  `aml:"level,enum"`
	Note   string
}

// Level is the size of a pledge.
type Level int16

// The levels.
const (
	Small Level = 1
	Large Level = 300
)

// PledgeByEmail has a key that never changes, so its rows never move.
type PledgeByEmail struct {
	aml.Aggregate `aml:"pledges_by_email,redundant=Pledge"`

	Email string `aml:"email,identifier"`
	ID    int32  `aml:"id,discriminator"`
	Note  string
}

// Oath is a versioned pledge.
type Oath struct {
	aml.Aggregate `aml:"oaths"`

	ID      int32  `aml:"id,identifier"`
	Email   string `aml:"email,required,final"`
	Status  Status `aml:"status,enum"`
	Version int64  `aml:"version,version"`
}

// Entry is a file of a tree, found by its directory.
type Entry struct {
	aml.Aggregate `aml:"entries"`

	Path   string `aml:"path,identifier"`
	Size   int32
	Hidden bool
}

// Dir reads only the key.
func (e Entry) Dir() string { return e.Path[:strings.LastIndex(e.Path, "/")+1] }

// Digits reads another field, and can only be called for a complete entry.
func (e Entry) Digits() string {
	if e.Size <= 0 {
		panic("an entry has a size")
	}
	return strconv.Itoa(int(e.Size))
}

// EntryInDir has a row for each entry, whose key follows from the key of the entry.
type EntryInDir struct {
	aml.Aggregate `aml:"entries_in_dir,redundant=Entry"`

	Dir    string `aml:"dir,identifier,from=Entry.Dir()"`
	Path   string `aml:"path,discriminator"`
	Size   int32
	Digits string `aml:"digits,from=Entry.Digits()"`
}

// HiddenEntry has a row for each hidden entry.
type HiddenEntry struct {
	aml.Aggregate `aml:"hidden_entries,redundant=Entry,when=Entry.Hidden"`

	Dir  string `aml:"dir,identifier,from=Entry.Dir()"`
	Path string `aml:"path,discriminator"`
}
