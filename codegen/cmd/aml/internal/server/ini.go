package server

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// iniKey is a key of a file, with its section and its value.
type iniKey struct{ section, key, value string }

// readINI reads a file in the form of Python's configparser: sections, keys without regard to case, values until the end of the line, and lines
// that begin with # or ; as comments. A line that configparser refuses or reads in another way is an error. Errors begin with the kind of the
// file, and contain none of its values.
func readINI(what, path string) ([]iniKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%s %s: it is not a text in UTF-8", what, path)
	}
	r := &iniReader{seen: map[iniKey]bool{}}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(text), "\ufeff"))
	for n, line := range strings.Split(lines, "\n") {
		if err := r.add(line); err != nil {
			return nil, fmt.Errorf("%s %s:%d: %w", what, path, n+1, err)
		}
	}
	return r.keys, nil
}

// iniReader reads the lines of a file.
type iniReader struct {
	section string // "" before the first one
	indent  int    // spaces before the last key or section
	inKey   bool   // the last one is a key
	keys    []iniKey
	seen    map[iniKey]bool // keys have no values
}

func (r *iniReader) add(line string) error {
	text := strings.TrimSpace(line)
	if text == "" || text[0] == '#' || text[0] == ';' {
		return nil
	}
	indent := strings.Index(line, text)
	if r.inKey && indent > r.indent {
		return errors.New("a line that is indented more than the line before it continues the value in cqlsh, which is not supported: remove the indentation")
	}
	r.indent = indent
	if end := strings.LastIndexByte(text, ']'); text[0] == '[' && end > 1 {
		r.section, r.inKey = text[1:end], false
		return nil
	}
	r.inKey = true
	return r.addKey(text)
}

// addKey adds a line with a key.
func (r *iniReader) addKey(text string) error {
	at := strings.IndexAny(text, "=:")
	switch {
	case at < 1:
		return errors.New("a line has neither a key with = nor a section: write key = value, or [section]")
	case r.section == "":
		return errors.New("a key is before the first section: write it below a line with [section]")
	}
	k := iniKey{section: r.section, key: strings.ToLower(strings.TrimSpace(text[:at]))}
	if r.seen[k] {
		return fmt.Errorf("[%s] %s is in the file twice: remove one", k.section, k.key)
	}
	r.seen[k] = true
	k.value = strings.TrimSpace(text[at+1:])
	r.keys = append(r.keys, k)
	return nil
}
