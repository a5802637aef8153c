package schema

import (
	"encoding/binary"
	"strconv"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// constants returns the encoded constants that the value of a path is compared with.
func constants(p *model.Path, in []model.Constant) (out []string) {
	for _, c := range in {
		out = append(out, Constant(p.ValueType(), c))
	}
	return out
}

// Constant returns a constant of a text, an integer or a boolean as the protocol of CQL encodes it.
func Constant(t *model.Type, c model.Constant) string {
	switch t.Go.Kind {
	case model.String:
		return c.Value
	case model.Bool:
		if c.Value == "true" {
			return "\x01"
		}
		return "\x00"
	}
	n, err := strconv.ParseInt(c.Value, 10, 64)
	if err != nil {
		panic("schema: the model has checked " + c.Value + ": " + err.Error())
	}
	native, _ := cqltype.Lookup(t.CQL)
	whole := binary.BigEndian.AppendUint64(nil, uint64(n))
	return string(whole[len(whole)-native.Size:])
}
