package schemachange

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
)

// TestTableID compares ids with constants, because replicas with different releases must derive the same id.
func TestTableID(t *testing.T) {
	assert.Equal(t, "05873d27-2f41-5d74-92c4-24194ce9b586", TableID("shop.aml_migrations").String())
	assert.NotEqual(t, TableID("shop.aml_migrations"), TableID("Shop.aml_migrations"))
	assert.Equal(t, uuid.Version(5), TableID("shop.aml_migrations").Version())
	assert.Equal(t, uuid.RFC4122, TableID("shop.aml_migrations").Variant())
}
