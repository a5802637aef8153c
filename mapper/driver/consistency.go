package driver

import "fmt"

// Consistency is a consistency level, with its number in the native protocol.
type Consistency uint16

// The consistency levels.
const (
	Any Consistency = iota
	One
	Two
	Three
	Quorum
	All
	LocalQuorum
	EachQuorum
	Serial
	LocalSerial
	LocalOne
)

var levels = [...]string{"ANY", "ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL", "LOCAL_SERIAL", "LOCAL_ONE"}

// String returns the name in CQL: LOCAL_QUORUM.
func (c Consistency) String() string {
	if int(c) < len(levels) {
		return levels[c]
	}
	return fmt.Sprintf("consistency %d", uint16(c))
}

// IsSerial reports whether the level applies to conditions: SERIAL or LOCAL_SERIAL.
func (c Consistency) IsSerial() bool { return c == Serial || c == LocalSerial }

// MarshalText returns the name in CQL.
func (c Consistency) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText sets c from its name in CQL, in capital letters.
func (c *Consistency) UnmarshalText(text []byte) error {
	for level, name := range levels {
		if name == string(text) {
			*c = Consistency(level)
			return nil
		}
	}
	return fmt.Errorf("%q is not a consistency level: use one of %s", text, levels)
}
