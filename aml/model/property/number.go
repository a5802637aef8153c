package property

import (
	"regexp"
	"strconv"
	"strings"
)

// The server reads numbers as Java does: white space and a suffix are allowed in a fraction, and a sign in both.
var (
	wholeNumber = regexp.MustCompile(`^[+-]?[0-9]+$`)
	fraction    = regexp.MustCompile(`^([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))[fFdD]?$`)
)

// ReadWhole reads a whole number of the given number of bits.
func ReadWhole(s string, bits int) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil && wholeNumber.MatchString(s)
}

// ReadFraction reads a number that may have a fraction. One that is too large is infinite.
func ReadFraction(s string) (float64, bool) {
	m := fraction.FindStringSubmatch(trimmed(s))
	if m == nil {
		return 0, false
	}
	f, _ := strconv.ParseFloat(m[1], 64) // the only error is a number that is too large, which is infinite here and in Java
	return f, true
}

// trimmed removes the characters that Java treats as white space.
func trimmed(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }

// ReadBoolean reads a boolean property.
func ReadBoolean(s string) (truth, ok bool) {
	switch strings.ToLower(s) {
	case "1", "true", "yes":
		return true, true
	case "0", "false", "no":
		return false, true
	}
	return false, false
}

// IsBoolean reports whether the value of an entry of a map is true or false; an entry accepts no other word.
func IsBoolean(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

// digitsOnly reports whether a text is a whole number without a sign.
func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// numberOr returns the number of an entry, or a default if the entry is missing.
func numberOr(entries map[string]string, name string, otherwise float64) float64 {
	if v, given := entries[name]; given {
		otherwise, _ = ReadFraction(v)
	}
	return otherwise
}
