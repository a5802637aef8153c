package load_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// Structs that contain the next one twice, many levels deep, are refused before the type checker reads them, which would not end. The fault
// has a position. Types that are not in the model count, too, because the compiler reads them.
func TestTypesThatDouble(t *testing.T) {
	const levels = 64
	instance := "int"
	for range levels {
		instance = "Pair[" + instance + "]"
	}
	for name, c := range map[string]struct{ level, last, want string }{
		"fields":           {"type L%[1]d struct { A L%[2]d; B L%[2]d }", "type L64 struct{ X int }", "L50"},
		"names":            {"type L%[1]d struct { A, B L%[2]d }", "type L64 struct{ X int }", "L50"},
		"arrays":           {"type L%[1]d struct { A, B [2]L%[2]d }", "type L64 struct{ X int }", "L50"},
		"embedded":         {"type L%[1]d struct { A%[1]d; B%[1]d }\ntype A%[1]d struct { L%[2]d }\ntype B%[1]d struct { L%[2]d }", "type L64 struct{ X int }", ""},
		"types of structs": {"type L%[1]d struct { A struct { B L%[2]d; C (L%[2]d) } }", "type L64 struct{ X int }", ""},
		"aliases":          {"type L%[1]d = struct { A, B L%[2]d }", "type L64 struct{ X int }", ""},
		"instances":        {"", "type Pair[T any] struct { A, B T }\ntype L64 struct { X " + instance + " }", "L64"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("package deep\n\n")
			for i := 0; i < levels && c.level != ""; i++ {
				fmt.Fprintf(&b, c.level+"\n", i, i+1)
			}
			b.WriteString(c.last + "\n")
			p, err := load.Source(token.NewFileSet(), "example.com/deep", map[string][]byte{"model.go": []byte(b.String())}, importer.Default())
			require.NoError(t, err)
			_, faults := model.Build(p)
			require.Len(t, faults, 1)
			require.Equal(t, "AML213", faults[0].Rule.Code)
			require.Positive(t, faults[0].Pos.Line)
			require.Contains(t, faults[0].What, c.want)
		})
	}
}

// References end the count: their values are not in the struct. A recursive type is an error of the type checker.
func TestTypesThatReferToMany(t *testing.T) {
	for _, text := range []string{"A, B *L%[2]d", "A, B []L%[2]d", "A, B map[string]L%[2]d", "A, B func(L%[2]d) L%[2]d"} {
		var b strings.Builder
		b.WriteString("package deep\n\n")
		for i := range 64 {
			fmt.Fprintf(&b, "type L%[1]d struct { "+text+" }\n", i, i+1)
		}
		b.WriteString("type L64 struct{ X int }\n")
		p, err := load.Source(token.NewFileSet(), "example.com/deep", map[string][]byte{"model.go": []byte(b.String())}, importer.Default())
		require.NoError(t, err)
		require.Empty(t, p.Structs)
	}
	for _, text := range []string{"type L struct { A, B L }", "type L struct { A P[L] }\ntype P[T any] struct { A, B T }", "type L [2]L"} {
		_, err := load.Source(token.NewFileSet(), "example.com/deep", map[string][]byte{"model.go": []byte("package deep\n\n" + text)}, importer.Default())
		require.ErrorContains(t, err, "invalid recursive type")
	}
}
