package lex_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/lex"
)

// names of kinds in the table of [TestTokens].
var names = map[lex.Kind]string{lex.Space: "space", lex.Comment: "comment", lex.Semicolon: "semicolon", lex.WordToken: "word", lex.Quoted: "quoted", lex.Other: "other"}

// tokens returns the tokens of a text, as kind and text, up to an error.
func tokens(text string) (out []string, err error) {
	for l := (lex.Lexer{Text: text}); ; {
		t, err := l.Next()
		if err != nil || t.Kind == lex.End {
			return out, err
		}
		out = append(out, names[t.Kind]+" "+text[t.From:t.To])
	}
}

// texts are texts with their tokens.
var texts = []struct {
	text string
	want []string
}{
	{"", nil},
	{"a", []string{"word a"}},
	{"a_1 B2", []string{"word a_1", "space  ", "word B2"}},
	{"\ufeffa", []string{"space \ufeff", "word a"}},
	{"a\ufeff", []string{"word a", "other \ufeff"}},
	{" \t\r\nx", []string{"space  \t\r\n", "word x"}},
	{"1a", []string{"other 1", "word a"}},
	{"_a", []string{"other _", "word a"}},
	{"a;;", []string{"word a", "semicolon ;", "semicolon ;"}},
	{"a-b", []string{"word a", "other -", "word b"}},
	{"a--b\nc", []string{"word a", "comment --b\n", "word c"}},
	{"--b\rc", []string{"comment --b\r", "word c"}},
	{"// b", []string{"comment // b"}},
	{"/* a */ b", []string{"comment /* a */", "space  ", "word b"}},
	{"/* /* */ */", []string{"comment /* /* */", "space  ", "other *", "other /"}},
	{"/**/", []string{"comment /**/"}},
	{"--'\n'--'", []string{"comment --'\n", "quoted '--'"}},
	{"''", []string{"quoted ''"}},
	{"'a''b'", []string{"quoted 'a''b'"}},
	{"'a' 'b'", []string{"quoted 'a'", "space  ", "quoted 'b'"}},
	{`'a\'`, []string{`quoted 'a\'`}},
	{`"Or""ders"`, []string{`quoted "Or""ders"`}},
	{"'\n;--'", []string{"quoted '\n;--'"}},
	{"$$a'b\"c$$", []string{"quoted $$a'b\"c$$"}},
	{"$$$$", []string{"quoted $$$$"}},
	{"$a", []string{"other $", "word a"}},
	{"$$a$b$$", []string{"quoted $$a$b$$"}},
	{"é日", []string{"other é", "other 日"}},
	{"\xff", []string{"other \xff"}},
}

func TestTokens(t *testing.T) {
	for _, c := range texts {
		got, err := tokens(c.text)
		require.NoError(t, err, "%q", c.text)
		require.Equal(t, c.want, got, "%q", c.text)
	}
}

// open are texts with a token that is not closed.
var open = []struct {
	text   string
	offset int
	reason string
}{
	{"a 'b", 2, "string is not closed"},
	{"'a''", 0, "string is not closed"},
	{`a."b`, 2, "quoted identifier is not closed"},
	{"; /* a", 2, "comment /* is not closed"},
	{"/*/", 0, "comment /* is not closed"},
	{"$$a$", 0, "string $$ is not closed"},
}

// The words before the token are returned, and the error has its position.
func TestOpenTokens(t *testing.T) {
	for _, c := range open {
		words, err := lex.Script(c.text)
		require.Equal(t, &lex.Error{Offset: c.offset, Reason: c.reason}, err, "%q", c.text)
		require.EqualError(t, err, c.reason)
		before, err := lex.Script(c.text[:c.offset])
		require.NoError(t, err)
		require.Equal(t, before, words, "%q", c.text)
	}
}

// FuzzScript checks that the tokens of a text are adjacent and cover it, and that its words are the tokens with a meaning.
func FuzzScript(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text)
	}
	for _, c := range open {
		f.Add(c.text)
	}
	f.Add("CREATE TABLE shop.\"Orders\" (id uuid PRIMARY KEY, note map<text, frozen<list<int>>>) WITH comment = 'it''s' AND gc_grace_seconds = 0;")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := tokens(text)
		words, fault := lex.Script(text)
		require.Equal(t, err, fault)
		covered := 0
		var meaning []string
		for _, one := range all {
			kind, part, _ := strings.Cut(one, " ")
			require.NotEmpty(t, part)
			require.Equal(t, part, text[covered:covered+len(part)])
			covered += len(part)
			if kind != "space" && kind != "comment" {
				meaning = append(meaning, part)
			}
			if kind == "other" {
				require.Equal(t, 1, utf8.RuneCountInString(part))
			}
		}
		if err == nil {
			require.Len(t, text, covered)
		}
		var parts []string
		for _, w := range words {
			require.Equal(t, text[w.From:w.To], w.Text)
			parts = append(parts, w.Text)
		}
		require.Equal(t, meaning, parts)
	})
}

func TestWords(t *testing.T) {
	var texts, upper []string
	for _, w := range lex.Words("Drop Table /* old */ \"Orders\" ; -- now") {
		texts, upper = append(texts, w.Text), append(upper, w.Upper)
		require.True(t, w.IsName(), w.Text)
	}
	require.Equal(t, []string{"Drop", "Table", `"Orders"`}, texts, "a semicolon is not a word of a statement")
	require.Equal(t, []string{"DROP", "TABLE", ""}, upper)
	words := lex.Words("a 'b' .")
	require.False(t, words[1].IsName(), "a string is not a name")
	require.False(t, words[2].IsName())
	require.Equal(t, "A", lex.UpperAt(words, 0))
	require.Empty(t, lex.UpperAt(words, 3))
}

func TestReader(t *testing.T) {
	r := &lex.Reader{Words: lex.Words(`ALTER TABLE shop."Or""ders" ADD Note`)}
	require.False(t, r.Accept("ALTER", "TYPE"), "nothing is read unless all words are next")
	require.True(t, r.Accept("ALTER", "TABLE"))
	keyspace, table := r.Qualified("other")
	require.Equal(t, []string{"shop", `Or"ders`}, []string{keyspace, table})
	require.True(t, r.Peek().Is("ADD"))
	require.Equal(t, "ADD", r.Found())
	require.Equal(t, "ADD", r.Next().Text)
	keyspace, table = r.Qualified("other")
	require.Equal(t, []string{"other", "note"}, []string{keyspace, table}, "a name without quotes is stored in lower case")
	require.False(t, r.Failed)
	require.Equal(t, "the end", r.Found())
	require.Empty(t, r.Identifier())
	require.True(t, r.Failed)

	r = &lex.Reader{Words: lex.Words("'text' a")}
	require.Empty(t, r.Identifier(), "a string is not a name")
	require.True(t, r.Failed)
	require.Empty(t, r.Peek().Text, "nothing is read after an error")
	require.False(t, r.Accept("A"))
}

// A reader keeps the first error that a parser reports, and reads nothing more.
func TestReaderFails(t *testing.T) {
	r := &lex.Reader{Words: lex.Words("DROP  TABLE a")}
	require.True(t, r.Accept("DROP"))
	require.Equal(t, 6, r.Offset())
	r.Fail("first")
	r.FailAt(0, "second")
	require.Equal(t, &lex.Error{Offset: 6, Reason: "first"}, r.Err)
	require.False(t, r.Accept("TABLE"))

	r = &lex.Reader{Words: lex.Words("DROP  TABLE a")}
	require.True(t, r.Accept("DROP", "TABLE", "A"))
	require.Equal(t, 13, r.Offset(), "the end of the last word")
	r.FailAt(1, "earlier")
	require.Equal(t, &lex.Error{Offset: 6, Reason: "earlier"}, r.Err)
	require.Zero(t, new(lex.Reader).Offset())
}

// Skip stops at a comma or a closing sign of the list, not at one of a list within it.
func TestSkip(t *testing.T) {
	for text, want := range map[string]string{
		"map<text, frozen<list<int>>> STATIC, b int": ", b int",
		"{'a': [1, 2], 'b': []}, c":                  ", c",
		"(a, (b, c)) )":                              ")",
		"a b":                                        "",
		") , a":                                      ") , a",
	} {
		r := &lex.Reader{Words: lex.Words(text)}
		r.Skip()
		rest := ""
		if w := r.Peek(); w.Text != "" {
			rest = text[w.From:]
		}
		require.Equal(t, want, rest, text)
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "ac", 1},
		{"abc", "bac", 1}, // a swap
		{"abcd", "badc", 2},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3},
	} {
		require.Equal(t, c.want, lex.EditDistance(c.a, c.b), "%s %s", c.a, c.b)
		require.Equal(t, c.want, lex.EditDistance(c.b, c.a), "%s %s", c.b, c.a)
	}
}

func TestNearest(t *testing.T) {
	all := []string{"identifier", "unique", "index", "in"}
	for word, want := range map[string]string{
		"identifer": "identifier",
		"uniqeu":    "unique",
		"idnex":     "index",
		"i":         "",
		"xy":        "",
		"on":        "in",
		"something": "",
		"indentify": "",
	} {
		require.Equal(t, want, lex.Nearest(word, all), word)
	}
}
