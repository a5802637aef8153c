package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// pattern is a form of names or of comments that -names counts.
type pattern int

const (
	suffixOf pattern = iota
	homelyName
	trailingPreposition
	thoseOf
	whatClause
	patterns // the number of patterns
)

// limits has, for each pattern, its name in the output and the greatest number that -max accepts. Lower a limit when its number has
// become smaller.
var limits = [patterns]struct {
	name string
	most int
}{
	suffixOf:            {"…Of", 5},
	homelyName:          {"homely", 5},
	trailingPreposition: {"trailing", 10},
	thoseOf:             {"those of", 10},
	whatClause:          {"what", 20},
}

// plainWords has the prepositions, adverbs and pronouns that are no name of a function. Names that Go itself uses are not in it (With,
// Up, Now), and as the first word of a longer name they are usual: fromRow, toRow, withLimit, inBatch, byName.
var plainWords = wordSet(`
	about above across after against ahead along among around as aside at away back because before behind below beside between beyond by
	down for from in inside into near of off on out over past per since through to toward towards under unless until upon via within without
	again alike alone also apart either else elsewhere even ever instead later likewise maybe meanwhile otherwise shortly soon then there
	together too twice
	none ones others ours selves theirs what which whose why`)

// sqlWords has words of SQL that query builders have as exported names.
var sqlWords = wordSet("As Between By For From In On To")

// homelyVerbs has verbs that do not say what a function does. They count as a name and as the first word of one: take, takeAll.
var homelyVerbs = wordSet(`
	ask asks give gives judge judged judges lie lies look looks meet meets say says settle settled settles sit sits speak speaks spoil
	spoils stay stays take taken takes tell tells`)

// prepositions has the words with which a comment beside code does not begin.
var prepositions = wordSet(`
	about above across after against along among as at before behind below beside between beyond by during for from in inside into near of off
	on out over per since through to toward towards under until upon via with within without`)

var (
	thoseOfForm = regexp.MustCompile(`(?i)\b(?:those|that)\s+of\b`)
	whatForm    = regexp.MustCompile(`(?i)\bwhat\s+\w+`)
	firstWord   = regexp.MustCompile(`^//\s?([a-z]+)\b`)
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// finding is one place with a pattern.
type finding struct {
	pattern pattern
	at      token.Position
	text    string // the name, or the words of the comment
}

// countNames prints how often each pattern appears in the packages: one line for each top folder of the module, and one for all. With
// list it prints each place before. With limited it returns an error if a number is above its limit.
func countNames(args []string, list, limited bool) error {
	ps, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule}, args...)
	if err != nil {
		return err
	}
	folders, all := map[string][patterns]int{}, [patterns]int{}
	for _, path := range sourceFiles(ps) {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		short := relative(ps, path)
		found, err := findNames(short, src)
		if err != nil {
			return err
		}
		folder, _, _ := strings.Cut(filepath.ToSlash(short), "/")
		n := folders[folder]
		for _, f := range found {
			n[f.pattern]++
			all[f.pattern]++
			if list {
				fmt.Printf("%s: %s: %s\n", f.at, limits[f.pattern].name, f.text)
			}
		}
		folders[folder] = n
	}
	printNames(folders, all)
	if limited {
		return exceeded(all)
	}
	return nil
}

// sourceFiles returns the sorted Go files of packages, each once, without the files below testdata.
func sourceFiles(ps []*packages.Package) (paths []string) {
	for _, p := range ps {
		for _, path := range p.GoFiles {
			if !strings.Contains(filepath.ToSlash(path), "/testdata/") {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// relative returns a path relative to the module of one of the packages.
func relative(ps []*packages.Package, path string) string {
	for _, p := range ps {
		if p.Module == nil {
			continue
		}
		if r, err := filepath.Rel(p.Module.Dir, path); err == nil && filepath.IsLocal(r) {
			return r
		}
	}
	return path
}

// findNames returns the places with a pattern in a Go file, in their order. Tests and generated files have none.
func findNames(path string, src []byte) ([]finding, error) {
	if strings.HasSuffix(path, "_test.go") {
		return nil, nil
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	var found []finding
	add := func(p pattern, at token.Pos, text string) {
		found = append(found, finding{p, files.Position(at), text})
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			if p, ok := namePattern(d.Name.Name); ok {
				add(p, d.Name.Pos(), d.Name.Name)
			}
		}
	}
	for _, g := range f.Comments {
		start := files.Position(g.Pos())
		line := src[start.Offset-(start.Column-1) : start.Offset]
		if m := firstWord.FindStringSubmatch(g.List[0].Text); m != nil && prepositions[m[1]] && strings.TrimSpace(string(line)) != "" {
			add(trailingPreposition, g.Pos(), g.List[0].Text)
		}
		text := strings.Join(strings.Fields(g.Text()), " ")
		for _, m := range thoseOfForm.FindAllString(text, -1) {
			add(thoseOf, g.Pos(), m)
		}
		for _, m := range whatForm.FindAllString(text, -1) {
			add(whatClause, g.Pos(), m)
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return a.at.Offset - b.at.Offset })
	return found, nil
}

// namePattern returns the pattern of the name of a function or method, if it has one.
func namePattern(name string) (pattern, bool) {
	if stem, ok := strings.CutSuffix(name, "Of"); ok && stem != "" {
		return suffixOf, true
	}
	first := name
	if i := strings.IndexFunc(name[1:], unicode.IsUpper); i >= 0 {
		first = name[:i+1]
	}
	plain := plainWords[strings.ToLower(name)] && !sqlWords[name]
	return homelyName, plain || homelyVerbs[strings.ToLower(first)]
}

// printNames prints the numbers of each folder and of all as a table.
func printNames(folders map[string][patterns]int, all [patterns]int) {
	row := func(name string, n [patterns]int) {
		fmt.Printf("%-14s", name)
		for i, l := range limits {
			fmt.Printf("  %*d", len([]rune(l.name)), n[i])
		}
		fmt.Println()
	}
	fmt.Printf("%-14s", "")
	for _, l := range limits {
		fmt.Print("  ", l.name)
	}
	fmt.Println()
	names := make([]string, 0, len(folders))
	for name := range folders {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		row(name, folders[name])
	}
	row("all", all)
}

// exceeded returns an error that lists the patterns whose number is above the limit.
func exceeded(all [patterns]int) error {
	var over []string
	for i, l := range limits {
		if all[i] > l.most {
			over = append(over, fmt.Sprintf("%q has %d places, and the limit is %d", l.name, all[i], l.most))
		}
	}
	if over == nil {
		return nil
	}
	return fmt.Errorf("%s; -names -v lists the places", strings.Join(over, "; "))
}
