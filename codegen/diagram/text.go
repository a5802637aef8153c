package diagram

import (
	"math"
	"strings"
	"sync"
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
	if s.Mono {
		f.Variant = "Mono"
	}
	if s.Bold {
		f.Weight = xfont.WeightBold
	}
	if s.Italic {
		f.Style = xfont.StyleItalic
	}
	return f
}

// faces are the metrics of the styles that have been used: to look up a font costs more than to measure a text.
var faces sync.Map

func (s Style) face() font.Face {
	if f, ok := faces.Load(s); ok {
		return f.(font.Face)
	}
	f := s.font()
	found := fonts.Lookup(f, f.Size)
	faces.Store(s, found)
	return found
}

// width returns the width of a text, in whole pixels: sums of them are exact, so a picture is the same on every machine.
func (s Style) width(text string) float64 {
	f := s.face()
	return math.Ceil(float64(f.Width(text)))
}

// Width returns the width of the text.
func (t *Text) Width() float64 { return t.Style.width(t.S) }

// The limits of the characters of a name, and of the row of an attribute. A longer one would make a box wider than a screen.
const (
	maxLetters    = 60
	maxRowLetters = 90
)

// PlainText returns a name as it can be drawn: without control characters and characters that change the direction of the text after
// them, and not longer than a box can be.
func PlainText(s string) string { return PlainTo(s, maxLetters) }

// PlainTo returns a text as it can be drawn, with a limit of its characters.
func PlainTo(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return s
}
