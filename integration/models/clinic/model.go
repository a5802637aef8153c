// Package clinic is a domain package: its store is in package store below it, so that it imports no driver and has no generated code.
package clinic

import (
	"errors"
	"strings"
	"sync"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate -package store -o store

// Doctor has patients.
type Doctor struct {
	aml.Aggregate `aml:"doctors"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name,required"`
	Email   string `aml:"email,unique"`
	Version int64  `aml:"version,version"`
}

// Visit is a visit of a patient.
type Visit struct {
	aml.Aggregate `aml:"visits"`

	ID         Number   `aml:"id,identifier"`
	Patient    string   `aml:"patient,required"`
	Doctor     int32    `aml:"doctor,association=Doctor,checked,rows=100000"`
	DoctorName string   `aml:"doctor_name,copy=Doctor.Name"`
	State      State    `aml:"state,enum"`
	Findings   Findings `aml:"findings,composition,max=20"`
	Version    int64    `aml:"version,version"`
	Signed

	once sync.Once `aml:"-"` // a store leaves it out, so that it need not be exported
}

// Number is the number of a visit.
type Number int32

// State is the state of a visit.
type State string

const (
	// Planned is the state of a new visit.
	Planned State = "planned"
	done    State = "done" // the method Finish sets it
)

// Findings are the findings of a doctor.
type Findings []Finding

// Finding is a finding of a doctor.
type Finding struct {
	Code string `aml:",required"`
	Text string
}

// Signed has the signature of a doctor.
type Signed struct {
	By string `aml:"signed_by"`
}

// Initial is the first letter of the patient, which VisitByInitial has in its key.
func (v *Visit) Initial() string { return strings.ToUpper(v.Patient[:1]) }

// Finish is a method of the domain that changes a visit.
func (v *Visit) Finish(by string, found ...Finding) (err error) {
	err = errors.New("the visit is done")
	v.once.Do(func() {
		if v.State == Planned {
			v.State, v.By, v.Findings, err = done, by, found, nil
		}
	})
	return err
}

// Done reports whether the visit is done.
func (v *Visit) Done() bool { return v.State == done }

// VisitByInitial finds visits by the first letter of the patient.
type VisitByInitial struct {
	aml.Aggregate `aml:"visits_by_initial,redundant=Visit"`

	Initial    string `aml:"initial,identifier,from=Visit.Initial()"`
	ID         Number `aml:"id,discriminator"`
	Patient    string `aml:"patient"`
	DoctorName string `aml:"doctor_name"`
}
