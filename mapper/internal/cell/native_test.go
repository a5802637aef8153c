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

// The zero value of a Go type is null if its row has a condition, and a value otherwise.
func TestZeroValuesAreNull(t *testing.T) {
	for _, n := range cqltype.Natives() {
		for _, g := range n.Go {
			var e Encoder
			method := reflect.ValueOf(&e).MethodByName(g.Codec)
			var zero []reflect.Value
			for in := range method.Type().Ins() {
				zero = append(zero, reflect.Zero(in))
			}
			method.Call(zero)
			row, err := e.Cells(nil)
			require.NoError(t, err)
			require.Equal(t, g.Stored != "", row[0] == nil, "%s as %s", g.Text, n.Name)
		}
	}
}
