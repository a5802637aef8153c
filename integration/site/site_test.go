package site_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/cassaml/cassaml/integration/site"
)

// good is a site without faults. The table of TestFaults breaks one thing at a time.
const good = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src 'self'; base-uri 'none'; form-action 'none'">
<title>Shop</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<a href="#content">Skip</a>
<nav aria-label="Pages"><ul><li><a href="a/b.html#name">B</a></li></ul></nav>
<main id="content">
<h1>Shop</h1>
<h2>Table</h2>
<p>Text with <code>code</code> and <a href="https://cassandra.apache.org/">a link</a>.</p>
<table><thead><tr><th scope="col">Column</th></tr></thead><tbody><tr><td>name</td></tr></tbody></table>
<svg viewBox="0 0 9 9" role="img"><title>Picture</title><a href="a/b.html"><rect width="1"/><text>B</text></a></svg>
<label>Search <input type="search"></label>
</main>
</body>
</html>
`

func siteOf(home string) map[string][]byte {
	other := strings.NewReplacer(`<title>Shop`, `<title>B`, `<h1>`, `<h1 id="name">`, `href="a/b.html"`, `href="b.html"`, `href="a/b.html#name"`, `href="../index.html"`, `style.css`, `../style.css`).Replace(good)
	return map[string][]byte{"index.html": []byte(home), "a/b.html": []byte(other), "style.css": []byte("p { color: red }"), "x.js": []byte("let a = 1"), "x.svg": []byte("<svg/>")}
}

func TestGoodSiteHasNoFaults(t *testing.T) {
	assert.Empty(t, site.Check(siteOf(good)))
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unclosed", "<h1>Shop</h1>", "<h1>Shop", "</main> where <h1> of line 14 is open"},
		{"misnested", "<code>code</code>", "<b><i>x</b></i>", "</b> where <i>"},
		{"closed by the browser", "<p>Text", "<p><ul><li>x</li></ul>Text", "</p> where <main> of line 13 is open"},
		{"moved by the browser", "<tbody><tr>", "<tbody><p>x</p><tr>", "<p> is not allowed in <tbody>"},
		{"added by the browser", "<tbody><tr><td>name</td></tr></tbody>", "<tr><td>name</td></tr>", "a browser makes <tbody> where <tr> is written"},
		{"closed itself", "<h2>Table</h2>", "<h2>Table</h2><div/>", "<div/> does not close"},
		{"unknown element", "<code>code</code>", "<blink>x</blink>", "<blink> is not an element of the site"},
		{"unknown element of a picture", "<rect width=\"1\"/>", "<foreignObject></foreignObject>", "<foreignobject> is not an element of the site"},
		{"unknown attribute", "<h2>", `<h2 align="left">`, "<h2> has the unknown attribute align"},
		{"event handler", "<h2>", `<h2 onclick="x()">`, "<h2> has the unknown attribute onclick"},
		{"attribute twice", "<h2>", `<h2 class="a" class="b">`, "<h2> has class twice"},
		{"place", "<ul><li>", "<ul><p>x</p><li>", "<p> is not allowed in <ul>"},
		{"button in a link", ">Skip<", "><button type=\"button\">x</button><", "<button> is not allowed in <a>"},
		{"no language", ` lang="en"`, "", "<html> has no lang"},
		{"no title", "<title>Shop</title>", "<title></title>", `the title "" is empty`},
		{"title of another page", "<title>Shop</title>", "<title>B</title>", `the title "B" is empty, or that of a/b.html`},
		{"two headings", "<h2>Table</h2>", "<h1>Table</h1>", "2 elements <h1>: a page has one"},
		{"heading left out", "<h2>Table</h2>", "<h3>Table</h3>", "<h3> after <h1> skips a level"},
		{"no policy", "default-src &#39;none&#39;", "", "has no default-src 'none'"},
		{"loose policy", "style-src 'self'", "script-src 'unsafe-inline'", `the Content-Security-Policy allows "script-src 'unsafe-inline'"`},
		{"policy of other hosts", "style-src 'self'", "style-src https://example.com", "the Content-Security-Policy allows"},
		{"policy too late", "<meta charset", `<script src="x.js"></script><meta charset`, "<script> is before the Content-Security-Policy"},
		{"no encoding", `<meta charset="utf-8">`, "", "no <meta charset"},
		{"id twice", "<h2>", `<h2 id="content">`, `id="content" is empty, has spaces, or is used twice`},
		{"label of nothing", "<h2>", `<h2 aria-labelledby="none">`, `aria-labelledby="none": no element has this id`},
		{"no label", `<label>Search <input type="search"></label>`, `<input type="search">`, "<input> has no label"},
		{"picture without text", "<title>Picture</title>", "", "<svg> has neither a title"},
		{"link without text", ">Skip<", "> <", "<a> has neither text"},
		{"image without text", "<h2>Table", `<h2><img src="x.svg">Table`, "<img> has no alt"},
		{"order of the keyboard", "<h2>", `<h2 tabindex="2">`, "changes the order of the keyboard"},
		{"column without scope", ` scope="col"`, "", "<th> has no scope"},
		{"missing page", "a/b.html#name", "a/c.html", "the site has no a/c.html"},
		{"other case", "a/b.html#name", "a/B.html", "the site has no a/B.html"},
		{"missing anchor", "#name", "#other", `a/b.html has no id "other"`},
		{"missing anchor of a picture", `<a href="a/b.html">`, `<a href="a/b.html#x">`, `a/b.html has no id "x"`},
		{"folder", "a/b.html#name", "a/", "refers to a folder"},
		{"from the root of a host", "a/b.html#name", "/a/b.html", "begins with a slash"},
		{"scheme", "https://cassandra.apache.org/", "javascript:alert(1)", "has a scheme that is not that of a page"},
		{"style of another host", `"style.css"`, `"https://example.com/style.css"`, "is requested from another host"},
		{"host without a scheme", `"style.css"`, `"//example.com/style.css"`, "is requested from another host"},
		{"script that requests", "</main>", "<script>let a\nfetch ('x')</script></main>", "index.html:21: has fetch"},
		{"script that makes elements", "</main>", "<script>a.innerHTML = b</script></main>", "has .innerHTML"},
		{"style that requests", "</title>", "</title><style>a { background: url(x) }</style>", "has url("},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Contains(t, good, c.old)
			found := site.Check(siteOf(strings.Replace(good, c.old, c.new, 1)))
			assert.Contains(t, strings.Join(found, "\n"), c.want)
			assert.Contains(t, strings.Join(found, "\n"), "index.html:")
		})
	}
}

func TestFaultsOfOtherFiles(t *testing.T) {
	for name, data := range map[string]string{
		"a.css": "@import \"x\"", "b.css": "a {}\np { background: URL(x) }", "a.js": "new WebSocket(x)", "a.svg": "<svg><g></svg>", "lonely.html": strings.ReplaceAll(good, ">Shop<", ">Lonely<"),
	} {
		files := siteOf(good)
		files[name] = []byte(data)
		found := site.Check(files)
		assert.Len(t, found, 1, name)
		assert.Contains(t, strings.Join(found, "\n"), name+":")
	}
}
