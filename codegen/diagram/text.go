package diagram

import (
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// fonts are embedded in the program, so a text has the same width on every machine. Arial and Helvetica have the same widths.
var fonts = font.NewCache(liberation.Collection())

// font returns the font of a style.
func (s Style) font() font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Points(s.Size)}
	if s.Bold {
		f.Weight = xfont.WeightBold
	}
	if s.Italic {
		f.Style = xfont.StyleItalic
	}
	return f
}

// width returns the width of a text.
func (s Style) width(text string) float64 {
	f := s.font()
	face := fonts.Lookup(f, f.Size)
	return float64(face.Width(text))
}

// Width returns the width of the text.
func (t *Text) Width() float64 { return t.Style.width(t.S) }

const maxLetters = 60 // of a text; a longer one would make a box wider than a screen

// plain returns a name as it can be drawn: without control characters and characters that change the direction of the text after
// them, and not longer than a box can be.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
	if letters := []rune(s); len(letters) > maxLetters {
		return string(letters[:maxLetters-1]) + "…"
	}
	return s
}
