package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/cassaml/cassaml/aml/descriptor"
)

// Hash returns a text that is the same for two schemas only if they have the same tables and projections: 16 hexadecimal digits.
func (s *Schema) Hash() string {
	h := sha256.New()
	for _, t := range s.Types {
		fmt.Fprintf(h, "type %q %v\n", t.Name, t.Fields)
	}
	for _, t := range s.Tables {
		hashTable(h, t)
	}
	for _, a := range s.Aggregates {
		for i := range a.Copies {
			c := &a.Copies[i]
			fmt.Fprintf(h, "copy %q of %q %v %v %v %v\n", c.Table.Name, a.Root.Name, c.Ops, c.Columns, c.Shared, c.Distinct)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func hashTable(h hash.Hash, t *descriptor.Table) {
	fmt.Fprintf(h, "table %q %d %d %v\n", t.Name, t.Partition, t.Key, t.Computed)
	for i := range t.Columns {
		c := &t.Columns[i]
		fmt.Fprintf(h, "%q %q %d\n", c.Name, c.Type, c.Kind)
	}
}
