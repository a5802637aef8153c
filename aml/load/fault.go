package load

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cassaml/cassaml/aml/model"
)

// SourceError lists the compiler errors of a package, one on each line, which begins with file:line:col.
type SourceError struct {
	Lines  []string
	Faults []Fault // the same with separate positions
}

// Fault is a compiler error. If it concerns a folder, its position has only a name.
type Fault struct {
	Pos     model.Pos
	Message string
}

// Error returns the lines.
func (e *SourceError) Error() string { return strings.Join(e.Lines, "\n") }

// failed returns the faults in the order of the source, without duplicates; nil for none.
func (l *loader) failed() error {
	if len(l.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(l.faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Col, b.pos.Col), cmp.Compare(a.msg, b.msg))
	})
	e := &SourceError{}
	for _, f := range slices.Compact(l.faults) {
		e.Lines = append(e.Lines, fmt.Sprintf("%s: %s", f.pos, f.msg))
		e.Faults = append(e.Faults, Fault{f.pos, f.msg})
	}
	return e
}

// noPackage returns the errors of the go command for a folder without Go files. Without cgo, files that import C are ignored.
func noPackage(dir string, p *packages.Package) error {
	e := &SourceError{}
	if msg := withoutModel(p); msg != "" {
		return &SourceError{Lines: []string{dir + ": " + msg}, Faults: []Fault{{model.Pos{File: dir}, msg}}}
	}
	for _, x := range p.Errors {
		msg, _, _ := strings.Cut(oneLine(x.Msg), " in "+string(filepath.Separator)) // removes the folder, which precedes the message
		if strings.HasPrefix(msg, "no Go files") {
			msg += "; run it in the folder of the model"
		}
		e.Lines = append(e.Lines, dir+": "+msg)
		e.Faults = append(e.Faults, Fault{model.Pos{File: dir}, msg})
	}
	for _, pos := range importsOfC(p.IgnoredFiles) {
		const msg = `a file with import "C" is left out where cgo is off (CGO_ENABLED=0, or no C compiler); move the model to a file without it`
		e.Lines = append(e.Lines, fmt.Sprintf("%s: %s", pos, msg))
		e.Faults = append(e.Faults, Fault{pos, msg})
	}
	if len(e.Lines) == 0 {
		return fmt.Errorf("load: %s: the go command lists no Go files in the folder, and no reason", dir)
	}
	return e
}

// withoutModel returns why a folder with Go files has no source of a model: there are only tests, or only the generated file. It returns ""
// for another reason.
func withoutModel(p *packages.Package) string {
	isGenerated := func(name string) bool { return filepath.Base(name) == Generated }
	switch {
	case len(p.IgnoredFiles) > 0 && !slices.ContainsFunc(p.IgnoredFiles, func(name string) bool { return !isGenerated(name) }):
		return "the only Go file is " + Generated + ", which is generated from a model; restore the structs of the model, or delete the file"
	case len(p.Errors) == 0 && len(p.IgnoredFiles) == 0:
		return "no Go files other than tests; run the command in the folder of the model, and declare the structs of a model in files that are not tests"
	}
	return ""
}

// importsOfC returns the positions where files import C.
func importsOfC(files []string) []model.Pos {
	var out []model.Pos
	fset := token.NewFileSet()
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.ImportsOnly)
		if err != nil {
			continue // it is ignored, whatever it contains
		}
		for _, i := range f.Imports {
			if i.Path.Value == `"C"` {
				out = append(out, place(fset.Position(i.Path.Pos())))
			}
		}
	}
	return out
}

// oneLine joins a message of several lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// classify classifies an error of the type checker: undeclared names may be declared in the generated file.
func (l *loader) classify(err error) {
	e, ok := err.(types.Error)
	switch {
	case !ok:
		l.faults = append(l.faults, fault{msg: err.Error()})
	case strings.HasPrefix(e.Msg, "\t") && len(l.faults) > 0: // it continues the previous message
		last := &l.faults[len(l.faults)-1]
		last.msg += fmt.Sprintf("; %s: %s", l.pos(e.Pos), strings.TrimSpace(e.Msg))
	case undeclared(e.Msg):
		l.missing = append(l.missing, e)
	case strings.HasSuffix(e.Msg, "imported and not used"): // function bodies are not read
	case strings.Contains(e.Msg, "imported as") && strings.HasSuffix(e.Msg, "and not used"):
	default:
		l.faults = append(l.faults, l.compiler(e))
	}
}

// undeclared reports whether the error is an undeclared name of the package itself.
func undeclared(msg string) bool {
	name, ok := strings.CutPrefix(msg, "undefined: ")
	return ok && token.IsIdentifier(name)
}

// needed reports the undeclared names that a field of the model uses.
func (l *loader) needed(f *types.Var) {
	field := l.fields[f.Pos()]
	for _, e := range l.missing {
		if field != nil && field.Pos() <= e.Pos && e.Pos < field.End() {
			l.faults = append(l.faults, l.compiler(e))
		}
	}
}

func (l *loader) compiler(e types.Error) fault { return fault{l.pos(e.Pos), e.Msg} }
