// Package lease is the model of versioned rows that expire: a lock, and a session with a redundant table.
package lease

import (
	"time"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Lock is held by one process at a time. The store is given its TTL.
type Lock struct {
	aml.Aggregate `aml:"locks,ttl=$lock:30"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name"`
	Version int64  `aml:"version,version"`
}

// Session is a sticky assignment, which its worker renews.
type Session struct {
	aml.Aggregate `aml:"sessions,ttl=600"`

	ID      int32             `aml:"id,identifier"`
	Name    string            `aml:"name"`
	Worker  *string           `aml:"worker"`
	Notes   map[string]string `aml:"notes,max=9"`
	Version int64             `aml:"version,version"`
}

// SessionOfWorker finds the sessions of a worker.
type SessionOfWorker struct {
	aml.Aggregate `aml:"sessions_of_worker,redundant=Session,when=Session.Worker"`

	Worker string `aml:"worker,identifier"`
	ID     int32  `aml:"id,discriminator"`
	Name   string `aml:"name"`
}

// SessionNote finds the notes of a session for a shorter time.
type SessionNote struct {
	aml.Aggregate `aml:"session_notes,redundant=Session.Notes,ttl=300"`

	ID   int32  `aml:"id,identifier,from=Session.ID"`
	Key  string `aml:"key,discriminator,from=Session.Notes.$key"`
	Text string `aml:"text,from=Session.Notes.$value"`
}

// LockHolder is a Lock without its version.
type LockHolder struct {
	aml.Aggregate `aml:",of=Lock"`

	Name string
}

// Code is a code of an account that can be used once, for some time.
type Code struct {
	aml.Aggregate `aml:"codes"`

	Account string        `aml:"account,identifier"`
	Number  int32         `aml:"number,discriminator"`
	Note    *string       `aml:"note"`
	Text    string        `aml:"text,required"`
	Left    time.Duration `aml:",ttl"`
}

// Turn is held by one worker at a time.
type Turn struct {
	aml.Aggregate `aml:"turns,ttl=3600"`

	ID      int32         `aml:"id,identifier"`
	Worker  string        `aml:"worker"`
	Left    time.Duration `aml:",ttl"`
	Version int64         `aml:"version,version"`
}

// CodeText has the value of a code that shows the remaining TTL.
type CodeText struct {
	aml.Aggregate `aml:",of=Code"`

	Text string
}

// CodeNote has another value of a code.
type CodeNote struct {
	aml.Aggregate `aml:",of=Code"`

	Note *string
}

// TurnWorker is a Turn without its version.
type TurnWorker struct {
	aml.Aggregate `aml:",of=Turn"`

	Worker string
}
