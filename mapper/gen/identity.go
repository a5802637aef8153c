package gen

import (
	"strconv"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// identities finds entities of one collection that have the same identity.
type identities struct {
	e    Encoder
	seen map[string]string // the encoded identity -> where it was seen first
}

// add records the identity in e, and returns where it was seen before, or "" if it is new. An identity that cannot be encoded is
// ignored: encoding the value reports its fault.
func (i *identities) add(where string) string {
	row, err := i.e.Cells(nil)
	if err != nil {
		return ""
	}
	var key []byte
	for _, c := range row {
		key = cell.AppendValue(key, c)
	}
	if first, twice := i.seen[string(key)]; twice {
		return first
	}
	i.seen[string(key)] = where
	return ""
}

func (i *identities) check(f *Faults, field, where string) {
	if first := i.add(where); first != "" {
		f.Add(field+where, "has the identity of "+field+first)
	}
}

// CheckIdentities adds a fault for each entity of a slice that has the identity of an earlier one.
func CheckIdentities[S ~[]T, T any](f *Faults, field string, v S, identity func(*Encoder, *T)) {
	if len(v) < 2 {
		return
	}
	seen := make(map[string]string, len(v))
	for i := range v {
		ids := identities{seen: seen}
		identity(&ids.e, &v[i])
		ids.check(f, field, "["+strconv.Itoa(i)+"]")
	}
}

// CheckEntryIdentities adds a fault for each entity of a map that has the identity of another one.
func CheckEntryIdentities[M ~map[K]T, K comparable, T any](f *Faults, field string, v M, identity func(*Encoder, *T)) {
	if len(v) < 2 {
		return
	}
	seen := make(map[string]string, len(v))
	for k, each := range v {
		ids := identities{seen: seen}
		identity(&ids.e, &each)
		ids.check(f, field, cell.KeyText(k))
	}
}

// CheckMemberIdentities adds a fault for each entity of a set that has the identity of another one.
func CheckMemberIdentities[M ~map[T]struct{}, T comparable](f *Faults, field string, v M, identity func(*Encoder, *T)) {
	if len(v) < 2 {
		return
	}
	seen := make(map[string]string, len(v))
	for each := range v {
		ids := identities{seen: seen}
		identity(&ids.e, &each)
		if ids.add("one") != "" {
			f.Add(field, "has two entities with the same identity")
		}
	}
}
