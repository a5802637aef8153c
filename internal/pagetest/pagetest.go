// Package pagetest compares pages of the documentation with the code. A failure prints the line that is missing and the nearest line of
// the page, not the whole page.
package pagetest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Contains stops the test if a page does not contain a text of one or more lines. The name is the file of the page.
func Contains(t testing.TB, name, page, text string) {
	t.Helper()
	if !strings.Contains(page, text) {
		t.Fatal(name + " " + difference(strings.Split(page, "\n"), strings.Split(strings.Trim(text, "\n"), "\n")))
	}
}

// Matches stops the test if no line of a page matches a regular expression.
func Matches(t testing.TB, name, page, expression string) {
	t.Helper()
	if !regexp.MustCompile("(?m)" + expression).MatchString(page) {
		t.Fatalf("%s has no line that matches %s", name, expression)
	}
}

// Equal stops the test if a generated file differs from the output of its generator. The command writes the file.
func Equal(t testing.TB, name, want, file, command string) {
	t.Helper()
	if want == file {
		return
	}
	wanted, lines := append(strings.Split(want, "\n"), "end of file"), append(strings.Split(file, "\n"), "end of file")
	i := 0
	for wanted[i] == lines[i] {
		i++
	}
	t.Fatalf("%s:%d: the file has\n\t%s\ninstead of\n\t%s\n%s writes the file", name, i+1, lines[i], wanted[i], command)
}

// difference describes the first wanted line that a page does not have after those before it, and the line of the page that is there
// instead.
func difference(lines, wanted []string) string {
	start, same := 0, 0
	for i := range lines {
		if n := prefix(lines[i:], wanted); n > same {
			start, same = i, n
		}
	}
	at := start + same
	switch {
	case same == len(wanted):
		return fmt.Sprintf("has the lines from %d on, but not as whole lines: %s", start+1, wanted[0])
	case same == 0:
		at = nearest(lines, wanted[0])
	case at == len(lines):
		return "ends before the line\n\t" + wanted[same]
	}
	return fmt.Sprintf("does not have the line\n\t%s\nThe nearest is line %d:\n\t%s", wanted[same], at+1, lines[at])
}

// prefix returns the number of wanted lines with which a text begins. A wanted line can be a part of a line.
func prefix(lines, wanted []string) (n int) {
	for n < len(lines) && n < len(wanted) && strings.Contains(lines[n], wanted[n]) {
		n++
	}
	return n
}

// nearest returns the index of the line that has most words in common with a text. Long words count more.
func nearest(lines []string, text string) (index int) {
	words, most := strings.Fields(text), 0
	for i, line := range lines {
		n, has := 0, strings.Fields(line)
		for _, w := range words {
			if slices.Contains(has, w) {
				n += len(w)
			}
		}
		if n > most {
			index, most = i, n
		}
	}
	return index
}
