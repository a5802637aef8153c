package advise_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/internal/models"
)

// A number of reads is printed without an exponent, and a cost is rounded.
func TestRound(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1.605, advise.Round(1.6046080000000003, 4), 0)
	require.Equal(t, "130", advise.Short(127.6))
	require.Equal(t, "0.1", advise.Short(0.1))
}

// A workload for a relationship that has become a part names the part.
func TestWriteOfAPart(t *testing.T) {
	t.Parallel()
	for declarations, want := range map[string]string{
		"type Order struct {\n\taml.Entity `aml:\"orders,part=Customer\"`\n\n\tID     int32 `aml:\"id,identifier\"`\n\tNumber int32 `aml:\"number,discriminator\"`\n}\n": "Order is a part of Customer, and parts are not compared: delete the comment",
		"": "its relationships are none",
	} {
		imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
		require.NoError(t, err)
		text := "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype Customer struct {\n\taml.Aggregate `aml:\"customers\"`\n\n\tID   int32  `aml:\"id,identifier\"`\n\tName string `aml:\"name\"`\n}\n\n" + declarations
		files := &load.Files{Path: "example.com/shop", Texts: map[string][]byte{"model.go": []byte(text)}, Fset: imports.Fset, Imports: imports}
		w, faults := advise.Parse("workload.cql", "-- aml:write Customer.Orders add 5/s\n")
		require.Empty(t, faults)
		_, faults, err = advise.New(files, w, advise.DefaultConfig())
		require.NoError(t, err)
		require.Len(t, faults, 1)
		require.Equal(t, "workload.cql:1:8: the model has no relationship and no root with the method Customer.Orders: "+want, faults[0].String())
	}
}
