package load

import (
	"go/constant"
	"go/types"

	"github.com/cassaml/cassaml/aml/model"
)

// typeConstants returns the text, integer and boolean constants that the package of a named type declares with this type, in the order of
// the source, or of their names for an imported package. It returns none for any other type.
func (l *loader) typeConstants(t types.Type) []model.Constant {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	pkg := n.Obj().Pkg()
	if _, done := l.constants[pkg]; !done {
		l.constants[pkg] = l.packageConstants(pkg)
	}
	return l.constants[pkg][n]
}

// packageConstants returns the constants of a package by their types. Those that are not exported count only in the package itself.
func (l *loader) packageConstants(pkg *types.Package) map[*types.Named][]model.Constant {
	out := map[*types.Named][]model.Constant{}
	for _, o := range l.inOrder(pkg.Scope()) {
		c, ok := o.(*types.Const)
		if !ok || !c.Exported() && pkg.Path() != l.path {
			continue
		}
		n, ok := types.Unalias(c.Type()).(*types.Named)
		if value, known := constantText(c.Val()); ok && known {
			out[n] = append(out[n], model.Constant{Name: c.Name(), Value: value})
		}
	}
	return out
}

// constantText returns a constant as the model has it; ok is false for a number that is not an integer.
func constantText(v constant.Value) (text string, ok bool) {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v), true
	case constant.Bool, constant.Int:
		return v.ExactString(), true
	}
	return "", false
}
