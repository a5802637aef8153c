package model

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// goTypes are the Go types that hold native types, as package cqltype writes them.
var goTypes = map[GoKind]string{
	Bool: "bool", Int: "int", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64", Float32: "float32", Float64: "float64",
	String: "string", Bytes: "[]byte", Time: "time.Time", GoDuration: "time.Duration", CQLDuration: "gocql.Duration", UUID: "gocql.UUID",
	IP: "net.IP", Addr: "netip.Addr", BigInt: "*big.Int", InfDec: "*inf.Dec",
}

// Native returns the Go type that holds a native type, as package cqltype writes it; "" for a kind that holds none.
func (k GoKind) Native() string { return goTypes[k] }

// KindOf returns the kind of a Go type that package cqltype writes so; [Unsupported] for any other.
func KindOf(goType string) GoKind {
	for k, text := range goTypes {
		if text == goType {
			return k
		}
	}
	return Unsupported
}

// storable returns the native types that a Go type can be stored as, the default first.
func storable(k GoKind) (names []string) {
	for _, n := range cqltype.StoredAs(k.Native()) {
		names = append(names, n.Name)
	}
	return names
}

// parseSpelled reads the type that type= spells, in which no user-defined type can be.
func parseSpelled(text string) (*cqltype.Type, error) {
	t, err := cqltype.Parse(text)
	if err != nil {
		return nil, err
	}
	return t, checkSpelled(t)
}

func checkSpelled(t *cqltype.Type) error {
	if n, native := t.Native(); t.IsUDT() || native && n.ColumnOnly {
		return fmt.Errorf("%s is no CQL type that a value can have", t.Name)
	}
	for _, a := range t.Args {
		if err := checkSpelled(a); err != nil {
			return err
		}
	}
	if t.Name == "vector" && (t.Size < 1 || t.Size > cqltype.MaxDimensions) {
		return fmt.Errorf("a vector has 1 to %d elements", cqltype.MaxDimensions)
	}
	return nil
}

// spelledFault returns what Cassandra refuses in a type, wherever it is; "" is nothing.
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
