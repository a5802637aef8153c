package folder

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"only blank", "\ufeff \r\n\t;; -- c\n/* d */;", nil},
		{"one without semicolon", "SELECT 1", []string{"SELECT 1"}},
		{"two", "a b; c d;", []string{"a b", "c d"}},
		{"empty ones dropped", ";;a;;\n;b;;", []string{"a", "b"}},
		{"semicolon in string", "a 'x;y'; b", []string{"a 'x;y'", "b"}},
		{"doubled quote", "a 'it''s;'; b", []string{"a 'it''s;'", "b"}},
		{"empty string", "a ''; b", []string{"a ''", "b"}},
		{"backslash escapes nothing", `a '\'; b`, []string{`a '\'`, "b"}},
		{"comment marks in string", "a '--/*//'; b", []string{"a '--/*//'", "b"}},
		{"quoted identifier", `a "x;""y;"; b`, []string{`a "x;""y;"`, "b"}},
		{"dollars", "a $$x;'y\"$;--$$; b", []string{"a $$x;'y\"$;--$$", "b"}},
		{"one dollar is no string", "a $; b $", []string{"a $", "b $"}},
		{"dollars in string", "a '$$;'; b", []string{"a '$$;'", "b"}},
		{"line comments", "-- x;\na -- y;\n b; // z;\nc", []string{"a -- y;\n b", "c"}},
		{"carriage return ends a comment", "-- x\ra; b", []string{"a", "b"}},
		{"comment at the end", "a -- b", []string{"a"}},
		{"comment before the semicolon", "a -- b\n; c /* d */ ;", []string{"a", "c"}},
		{"minus and slash", "a 1-2; b 4/2", []string{"a 1-2", "b 4/2"}},
		{"block comment", "/* x; */ a /* y; */ b; c", []string{"a /* y; */ b", "c"}},
		{"block comments do not nest", "/* /* */ a; b", []string{"a", "b"}},
		{"quote in comment", "a -- don't\n; b /* \" */; c", []string{"a", "b", "c"}},
		{"crlf", "a\r\nb;\r\nc;\r\n", []string{"a\r\nb", "c"}},
		{"byte order mark", "\ufeffa; b", []string{"a", "b"}},
		{"unicode", "a 'é;漢'; ü; b", []string{"a 'é;漢'", "ü", "b"}},
		{"batch", "BEGIN BATCH a; b; APPLY BATCH; c", []string{"BEGIN BATCH a; b; APPLY BATCH", "c"}},
		{"batch kinds", "begin unlogged batch a; Apply  batch;BEGIN COUNTER BATCH b; APPLY BATCH",
			[]string{"begin unlogged batch a; Apply  batch", "BEGIN COUNTER BATCH b; APPLY BATCH"}},
		{"batch with comments", "/**/BEGIN--\nBATCH a; APPLY /*;*/ BATCH --;\n; c",
			[]string{"BEGIN--\nBATCH a; APPLY /*;*/ BATCH", "c"}},
		{"apply batch in a string", "BEGIN BATCH a 'APPLY BATCH'; b; APPLY BATCH; c",
			[]string{"BEGIN BATCH a 'APPLY BATCH'; b; APPLY BATCH", "c"}},
		{"begin is only a batch at the start", "a begin; b", []string{"a begin", "b"}},
		{"begin as part of a word", "beginning; b", []string{"beginning", "b"}},
		{"transaction", "BEGIN TRANSACTION IF a THEN b; END IF; COMMIT TRANSACTION; c", []string{"BEGIN TRANSACTION IF a THEN b; END IF; COMMIT TRANSACTION", "c"}},
		{"a string between apply and batch", "BEGIN BATCH a; APPLY 'x' BATCH; APPLY BATCH; c",
			[]string{"BEGIN BATCH a; APPLY 'x' BATCH; APPLY BATCH", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			statements, err := Split(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, texts(statements))
			lossless(t, c.text, statements)
		})
	}
}

func TestSplitPositions(t *testing.T) {
	statements, err := Split("\ufeff-- first\r\n\r\nCREATE\r\n TABLE t;;\n\n/*\n*/ b; c")
	require.NoError(t, err)
	assert.Equal(t, []Statement{
		{Text: "CREATE\r\n TABLE t", Number: 1, Line: 3, Offset: 15, Hash: Hash("CREATE\r\n TABLE t")},
		{Text: "b", Number: 2, Line: 7, Offset: 41, Hash: Hash("b")},
		{Text: "c", Number: 3, Line: 7, Offset: 44, Hash: Hash("c")},
	}, statements)
}

func TestSplitUnclosed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a;\n b 'c;\n", "2:4: string is not closed"},
		{"a 'b''", "1:3: string is not closed"},
		{"a;\n\"", "2:1: quoted identifier is not closed"},
		{"$$ a $", "1:1: string $$ is not closed"},
		{"$$$", "1:1: string $$ is not closed"},
		{"a; /* b", "1:4: comment /* is not closed"},
		{"/*/", "1:1: comment /* is not closed"},
		{"a;\nBEGIN TRANSACTION b; APPLY BATCH;\n", "2:1: BEGIN TRANSACTION has no COMMIT TRANSACTION"},
		{"a;\nBEGIN BATCH b; APPLY;\n", "2:1: BEGIN BATCH has no APPLY BATCH"},
	} {
		_, err := Split(c.text)
		assert.EqualError(t, err, c.want, c.text)
	}
}

func TestHeadline(t *testing.T) {
	assert.Equal(t, "a b c", Statement{Text: "a\n\t b  c"}.Headline())
	assert.Len(t, []rune(Statement{Text: strings.Repeat("é", 200)}.Headline()), 80)
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"", ";", "a;b", "\ufeffCREATE TABLE t (k int PRIMARY KEY);\r\n-- x\r\nINSERT INTO t (k) VALUES (1)",
		"a 'x''y;' \"z;\"\"\" $$;'$$; // c\r/* ; */b", "BEGIN BATCH a; APPLY /* */ BATCH; c", "begin unlogged batch",
		"'", "\"", "$$", "/*", "/*/", "--", "a--b\nc", "$", "\ufeff\ufeffa", "\x00;\xff", "APPLY BATCH; BEGIN 'BATCH'; APPLY BATCH",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements, err := Split(text)
		if err != nil {
			require.IsType(t, &SyntaxError{}, err)
			return
		}
		lossless(t, text, statements)
		joined := ";" + strings.Join(texts(statements), "\n;\n")
		again, err := Split(joined)
		require.NoError(t, err, "joined: %q", joined)
		require.Equal(t, texts(statements), texts(again))
	})
}

// lossless checks the guarantees of Split: the statements are parts of the text, in order, at their offsets and on their lines, and
// the text around them has no meaning.
func lossless(t *testing.T, text string, statements []Statement) {
	t.Helper()
	end := 0
	for i, s := range statements {
		require.Equal(t, i+1, s.Number)
		require.Equal(t, s.Text, text[s.Offset:][:len(s.Text)])
		require.Equal(t, 1+strings.Count(text[:s.Offset], "\n"), s.Line)
		blank(t, text[end:s.Offset], end == 0)
		end = s.Offset + len(s.Text)
	}
	blank(t, text[end:], end == 0)
}

// blank requires that a gap has only white space, comments and semicolons. It finds them without the lexer.
func blank(t *testing.T, gap string, first bool) {
	t.Helper()
	if first {
		gap = strings.TrimPrefix(gap, "\ufeff")
	}
	for gap = strings.TrimLeft(gap, "; \t\r\n"); gap != ""; gap = strings.TrimLeft(gap, "; \t\r\n") {
		switch gap[:2] {
		case "--", "//":
			_, gap, _ = strings.Cut(strings.ReplaceAll(gap, "\r", "\n"), "\n")
		case "/*":
			_, gap, _ = strings.Cut(gap[2:], "*/")
		default:
			require.Fail(t, "words between statements", "%q", gap)
		}
	}
}

func texts(statements []Statement) []string {
	var texts []string
	for _, s := range statements {
		texts = append(texts, s.Text)
	}
	return texts
}
