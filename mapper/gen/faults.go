package gen

import (
	"strconv"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Faults collects all faults of a value.
type Faults struct{ list []mapper.Violation }

func (f *Faults) all() []mapper.Violation {
	if f == nil {
		return nil
	}
	return f.list
}

// Required adds a fault if a required field has no value.
func (f *Faults) Required(field string, present bool) {
	if !present {
		f.Add(field, "is required")
	}
}

// Count adds a fault if a collection has fewer values than min or more than max; a negative bound means no bound.
func (f *Faults) Count(field string, n, min, max int) {
	switch {
	case n < min:
		f.Add(field, "has "+strconv.Itoa(n)+" values, fewer than "+strconv.Itoa(min))
	case max >= 0 && n > max:
		f.Add(field, "has "+strconv.Itoa(n)+" values, more than "+strconv.Itoa(max))
	}
}

// AtMostOne adds a fault if more than one field of a group has a value.
func (f *Faults) AtMostOne(fields string, present ...bool) {
	if n := number(present); n > 1 {
		f.Add(fields, "have "+strconv.Itoa(n)+" values, and at most one of them can have one")
	}
}

// ExactlyOne adds a fault if no field of a group has a value, or more than one.
func (f *Faults) ExactlyOne(fields string, present ...bool) {
	if n := number(present); n != 1 {
		f.Add(fields, "have "+strconv.Itoa(n)+" values, and exactly one of them must have one")
	}
}

// AtLeastOne adds a fault if no field of a group has a value.
func (f *Faults) AtLeastOne(fields string, present ...bool) {
	if number(present) == 0 {
		f.Add(fields, "have no value, and at least one of them must have one")
	}
}

// IsStored reports whether a value that write encodes is not null. A value with a fault counts as stored: encoding its row reports the
// fault.
func IsStored(write func(*Encoder)) bool {
	var e Encoder
	write(&e)
	return e.Err() != nil || e.All(nil)[0] != nil
}

// HasCells reports whether a collection that write encodes is stored in several cells: whether it has an element.
func HasCells(write func(*Encoder)) bool {
	var e Encoder
	if write(&e); e.Err() != nil {
		return true
	}
	n, ok := cell.Count(e.All(nil)[0], 1)
	return n > 0 || !ok
}

func number(present []bool) (n int) {
	for _, p := range present {
		if p {
			n++
		}
	}
	return n
}

// Add adds a fault. The problem continues a sentence that begins with the path: "has more than 3 elements".
func (f *Faults) Add(path, problem string) {
	f.list = append(f.list, mapper.Violation{Path: path, Problem: problem})
}

// CheckStruct checks a composed value; nil means no value.
func CheckStruct[T any](f *Faults, field string, v *T, check func(*Faults, *T)) {
	if v == nil {
		return
	}
	from := len(f.list)
	check(f, v)
	f.prependPath(from, field)
}

// CheckStructs checks every element of a slice of composed values.
func CheckStructs[S ~[]T, T any](f *Faults, field string, v S, check func(*Faults, *T)) {
	for i := range v {
		from := len(f.list)
		if check(f, &v[i]); len(f.list) > from {
			f.prependPath(from, field+"["+strconv.Itoa(i)+"]")
		}
	}
}

// CheckMap checks every value of a map of composed values.
func CheckMap[M ~map[K]V, K comparable, V any](f *Faults, field string, v M, check func(*Faults, *V)) {
	var x V // one variable for all entries, because its address is passed to check
	for k, each := range v {
		from := len(f.list)
		x = each
		if check(f, &x); len(f.list) > from {
			f.prependPath(from, field+cell.KeyText(k))
		}
	}
}

// prependPath prepends the path of a composed value to the paths of the faults found in it.
func (f *Faults) prependPath(from int, path string) {
	for i := range f.list[from:] {
		f.list[from+i].Path = path + "." + f.list[from+i].Path
	}
}
