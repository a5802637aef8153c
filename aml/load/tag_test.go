package load

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzLookup compares find with package reflect: it finds the same value as a program at run time.
func FuzzLookup(f *testing.F) {
	for _, s := range []string{
		``, `aml:"id"`, `json:"aml:" aml:"id,identifier" yaml:"x"`, `yaml:"aml"`, `aml:"a" aml:"b"`, `aml:"a\"b"`, `aml:name`, `aml: "a"`,
		`json:"x",aml:"a"`, `json:"x"aml:"a"`, `  aml:"a"  `, `aml:"a" json`, `aml:"a\q"`, `é:"x" aml:"ñ"`, "aml:\"a\nb\"", `aml:"\\" x:"\"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		value, at, clean := find(tag, "aml")
		want, found := reflect.StructTag(tag).Lookup("aml")
		if clean || at >= 0 {
			require.Equal(t, found, at >= 0, "%q", tag)
			require.Equal(t, want, value, "%q", tag)
		}
		if at >= 0 {
			require.Equal(t, byte('"'), tag[at], "%q", tag)
		}
	})
}
