package codec

import (
	"encoding/binary"
	"fmt"

	"github.com/gocql/gocql"
)

// frame is the end of a write for all variants: the values as the driver puts them into a request, each after its length.
type frame struct{ bytes []byte }

func (f *frame) reset() { f.bytes = f.bytes[:0] }

// statement adds the arguments of a statement as gocql does when it executes it.
func (f *frame) statement(columns []gocql.ColumnInfo, args []any) error {
	if len(args) != len(columns) {
		return fmt.Errorf("codec: %d arguments for %d columns", len(args), len(columns))
	}
	for i, a := range args {
		if a == gocql.UnsetValue {
			f.length(-2)
			continue
		}
		b, err := gocql.Marshal(columns[i].TypeInfo, a)
		if err != nil {
			return fmt.Errorf("codec: column %s: %w", columns[i].Name, err)
		}
		f.prepared(b)
	}
	return nil
}

// prepared adds an encoded value.
func (f *frame) prepared(b []byte) {
	if b == nil {
		f.length(-1)
		return
	}
	f.length(len(b))
	f.bytes = append(f.bytes, b...)
}

func (f *frame) length(n int) { f.bytes = binary.BigEndian.AppendUint32(f.bytes, uint32(int32(n))) }
