package corpus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/internal/models"
)

func TestEqualSeedsGiveEqualModels(t *testing.T) {
	first, second := corpus.New(3).Models(60), corpus.New(3).Models(60)
	for i, m := range first {
		require.Equal(t, string(m.Source()), string(second[i].Source()))
		require.Len(t, second[i].Faults, len(m.Faults))
	}
	other := corpus.New(4).Models(1)
	require.NotEqual(t, string(first[0].Source()), string(other[0].Source()))
}

// Models are valid Go, also with faults: only the checker finds the faults.
func TestModelsCompile(t *testing.T) {
	dir := t.TempDir()
	folders, err := corpus.Write(dir, filepath.Join("..", ".."), corpus.New(1).Models(25))
	require.NoError(t, err)
	require.Len(t, folders, 25)
	faults, err := models.Check(append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), folders...)
	require.NoError(t, err)
	require.Empty(t, faults)
}

func TestPlantedFaultsHaveLines(t *testing.T) {
	for _, m := range corpus.New(5).Models(100) {
		for _, f := range m.Faults {
			require.Positive(t, m.Line(f.Place), "%s: %s %s", m.Name, f.Fault.Code, f.Fault.Name)
		}
	}
}
