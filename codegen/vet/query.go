package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// drivers are the packages with methods that take the text of a statement.
var drivers = []string{"github.com/gocql/gocql", "github.com/apache/cassandra-gocql-driver/v2", "github.com/scylladb/gocqlx/v2", "github.com/scylladb/gocqlx/v3"}

// takers are those methods.
var takers = []string{"Query", "ContextQuery", "ExecStmt", "Bind"}

// queries reports faults in constant texts of CQL that are passed to a driver.
func (v *vetting) queries(stores []*Store) {
	for _, f := range v.Files {
		if f == v.generated() {
			continue
		}
		silent := v.ignores(f)
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if e, text := constantStatement(v.TypesInfo, c); e != nil {
					for _, x := range checkText(text, stores) {
						if at := position(v.TypesInfo, e, x.offset); !silent.covers(v.Fset, x.rule.Code, at, c.Pos()) {
							v.report(at, x.rule, x.what, x.fix)
						}
					}
				}
			}
			return true
		})
	}
}

// constantStatement returns the argument of a call that is the text of a statement, and the text; nil if it is not a constant.
func constantStatement(info *types.Info, c *ast.CallExpr) (ast.Expr, string) {
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	f, ok := info.Uses[s.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || !slices.Contains(drivers, f.Pkg().Path()) || !slices.Contains(takers, f.Name()) {
		return nil, ""
	}
	for i, p := range slices.Collect(f.Signature().Params().Variables()) {
		if p.Type() != types.Typ[types.String] || i >= len(c.Args) {
			continue
		}
		if v := info.Types[c.Args[i]].Value; v != nil {
			return c.Args[i], constant.StringVal(v)
		}
		return nil, ""
	}
	return nil, ""
}

// position returns the position of an offset in the value of a constant expression, as far as it is written there.
func position(info *types.Info, e ast.Expr, offset int) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if v := info.Types[e.X].Value; v != nil {
			left := len(constant.StringVal(v))
			if offset < left {
				return position(info, e.X, offset)
			}
			return position(info, e.Y, offset-left)
		}
	case *ast.BasicLit:
		return e.Pos() + token.Pos(inLiteral(e.Value, offset))
	}
	return e.Pos()
}

// inLiteral returns where the byte at an offset of a string is in its literal.
func inLiteral(literal string, offset int) int {
	if literal[0] == '`' {
		at := 1
		for ; offset > 0 && at < len(literal)-1; at++ {
			if literal[at] != '\r' { // the value of a raw string has none
				offset--
			}
		}
		return at
	}
	rest := literal[1:]
	for offset > 0 && rest != "" {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			break
		}
		if rest = tail; multibyte {
			offset -= len(string(r))
			continue
		}
		offset--
	}
	return len(literal) - len(rest)
}

// ignores are the comments //aml:ignore CODE reason of a file, by the lines to which they apply.
type ignores map[int][]string

// ignores reads the comments of a file. A comment applies to its line and to the next one.
func (v *vetting) ignores(f *ast.File) ignores {
	out := ignores{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) < 3 || words[0] != "//aml:ignore" { // a reason is required
				continue
			}
			line := v.Fset.Position(c.Pos()).Line
			out[line], out[line+1] = append(out[line], words[1]), append(out[line+1], words[1])
		}
	}
	return out
}

// covers reports whether a code is silenced at one of some places.
func (i ignores) covers(fset *token.FileSet, code string, at ...token.Pos) bool {
	return slices.ContainsFunc(at, func(p token.Pos) bool { return slices.Contains(i[fset.Position(p).Line], code) })
}
