package model

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// storable returns the native types that a Go type can be stored as, the default first.
func storable(k GoKind) (names []string) {
	for _, n := range cqltype.StoredAs(k.Native()) {
		names = append(names, n.Name)
	}
	return names
}

// parseSpelled parses the value of type=, which cannot contain a user-defined type.
func parseSpelled(text string) (*cqltype.Type, error) {
	t, err := cqltype.Parse(text)
	if err != nil {
		return nil, err
	}
	return t, checkSpelled(t)
}

func checkSpelled(t *cqltype.Type) error {
	if n, native := t.Native(); t.IsUDT() || native && n.ColumnOnly {
		return fmt.Errorf("%s is not a supported CQL type", t.Name)
	}
	for _, a := range t.Args {
		if err := checkSpelled(a); err != nil {
			return err
		}
	}
	if t.Name == "vector" && (t.Size < 1 || t.Size > cqltype.MaxDimensions) {
		return fmt.Errorf("a vector must have 1 to %d elements", cqltype.MaxDimensions)
	}
	return nil
}

// spelledFault returns the reason why Cassandra refuses a type or a type inside it; "" if it accepts the type.
func spelledFault(t *cqltype.Type) string {
	for _, a := range t.Args {
		if why := spelledFault(a); why != "" {
			return why
		}
	}
	if t.Name == "frozen" && len(t.Args[0].Args) == 0 {
		return "frozen<> is for collections and tuples, and " + t.Args[0].Name + " is neither"
	}
	if (t.Name == "set" || t.Name == "map") && t.Args[0].Holds("duration") {
		return "a duration cannot be the element of a set or the key of a map"
	}
	return ""
}
