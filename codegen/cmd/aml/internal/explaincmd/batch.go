package explaincmd

import (
	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/explain"
)

// batchJSON is the documented form of the batches of a store.
type batchJSON struct {
	Kind     string         `json:"kind"` // batch
	Package  string         `json:"package"`
	Tables   []batchedJSON  `json:"tables"`
	Together []togetherJSON `json:"together"`
	Checks   []requestJSON  `json:"checks"`
}

// batchedJSON is a table that a batch can write.
type batchedJSON struct {
	Table   string   `json:"table"`
	Struct  string   `json:"struct"`
	Methods []string `json:"methods"`
}

// togetherJSON is a batch that inserts a row of a root and of each of its parts.
type togetherJSON struct {
	Structs []string    `json:"structs"`
	Insert  requestJSON `json:"insert"`
}

func writeBatchJSON(c *cobra.Command, path string, b *explain.Batch) error {
	if b == nil {
		return nil
	}
	return jsonline.Write(c, batchJSON{"batch", path,
		jsonline.Map(b.Tables, func(t *explain.Batched) batchedJSON { return batchedJSON{t.Name, t.Aggregate.Struct.Name, t.Methods} }),
		jsonline.Map(b.Together, func(x *explain.Together) togetherJSON {
			return togetherJSON{jsonline.Map(x.Tables, func(t *schema.Table) string { return t.Aggregate.Struct.Name }), newRequestJSON(x.Insert)}
		}),
		jsonline.Map(b.Checks, newRequestJSON)})
}
