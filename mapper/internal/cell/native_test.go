package cell

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// The runtime supports the native types of the generator, and has the methods that generated code calls for them.
func TestNativeTypesAreThoseOfTheLanguage(t *testing.T) {
	var names []string
	encoder, decoder := reflect.TypeFor[*Encoder](), reflect.TypeFor[*Decoder]()
	for _, n := range cqltype.Natives() {
		names = append(names, n.Name)
		for _, g := range n.Go {
			_, writes := encoder.MethodByName(g.Codec)
			_, reads := decoder.MethodByName(g.Codec)
			require.True(t, writes, "Encoder has no %s", g.Codec)
			require.True(t, reads || g.Codec == "TimeUUID", "Decoder has no %s", g.Codec) // it is read as a UUID
		}
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(natives)))
}
