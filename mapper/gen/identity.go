package gen

import (
	"strconv"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// identities finds entities of one collection that have one identity.
type identities struct {
	e    Encoder
	seen map[string]string // the encoded identity -> where it was seen first
}

// add notes the identity that e holds, and reports where it was seen before; "" for nowhere. One that cannot be encoded
// is a fault of its own, which encoding the whole value finds.
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

// CheckIdentities notes the entities of a slice that have the identity of one before them.
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

// CheckEntryIdentities notes the entities of a map that have the identity of another.
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

// CheckMemberIdentities notes the entities of a set that have the identity of another.
func CheckMemberIdentities[M ~map[T]struct{}, T comparable](f *Faults, field string, v M, identity func(*Encoder, *T)) {
	if len(v) < 2 {
		return
	}
	seen := make(map[string]string, len(v))
	for each := range v {
		ids := identities{seen: seen}
		identity(&ids.e, &each)
		if ids.add("one") != "" {
			f.Add(field, "holds two entities of one identity")
		}
	}
}
