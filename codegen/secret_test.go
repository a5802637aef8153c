package codegen_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/internal/models"
)

const listedModel = `package shop

import "github.com/cassaml/cassaml/aml"

type Account struct {
	aml.Aggregate ` + "`aml:\"accounts\"`" + `

	Code    string ` + "`aml:\"code,identifier,secret\"`" + `
	Name    string ` + "`aml:\"name\"`" + `
	Version int64  ` + "`aml:\"version,version\"`" + `
}

type Payment struct {
	aml.Aggregate ` + "`aml:\"payments\"`" + `

	ID      int32  ` + "`aml:\"id,identifier\"`" + `
	Account string ` + "`aml:\"account,association=Account,secret\"`" + `
	Owner   string ` + "`aml:\"owner,copy=Account.Name\"`" + `
	Version int64  ` + "`aml:\"version,version\"`" + `
}
`

// The column of aml_outboxes that contains the keys of roots is secret if the key of one of these roots is.
func TestKeysOfOutboxesAreSecret(t *testing.T) {
	known, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	source, faults := generate(t, known.Source(t, "example.com/shop", listedModel), codegen.Config{})
	require.Empty(t, faults)
	key := regexp.MustCompile(`\{Name: "key",[^\n]*Type: "blob"[^\n]*`).FindString(string(source))
	require.Contains(t, key, "Secret: true")
}
