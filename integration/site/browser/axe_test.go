package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axe is the checker of accessibility of Deque Systems, https://github.com/dequelabs/axe-core, version 4.14.1.
const axe = "testdata/axe/axe.min.js"

// serious returns the findings of axe whose impact is serious or critical. Rules about best practices are in the result, too.
const serious = `axe.run(document, {resultTypes: ["violations"], runOnly: %s}).then((r) => r.violations
	.filter((v) => v.impact === "serious" || v.impact === "critical")
	.flatMap((v) => v.nodes.slice(0, 3).map((n) => v.id + ": " + n.target.join(" ") + " (" + v.nodes.length + "): " + (n.any[0] || n.all[0] || n.none[0] || {}).message)))`

// Of each kind of page, the longest has no serious findings, and does not scroll to the side.
func TestPageOfEachKind(t *testing.T) {
	chromium(t)
	longest := map[string]string{}
	dir := docs(t, build(t), "../../../examples/library/catalogue")
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	require.NoError(t, err)
	for _, p := range pages {
		kind, _, _ := strings.Cut(filepath.Base(p), "-")
		if other, ok := longest[kind]; !ok || size(t, p) > size(t, other) {
			longest[kind] = p
		}
	}
	assert.GreaterOrEqual(t, len(longest), 6)
	var some []string
	for _, p := range longest {
		some = append(some, p)
	}
	slices.Sort(some)
	accessible(t, some)
}

// Every page of the site of all examples has no serious findings, and does not scroll to the side.
func TestEveryPage(t *testing.T) {
	if !*every {
		t.Skip("with -every, in go run ./integration/long")
	}
	chromium(t)
	pages, err := filepath.Glob(filepath.Join(docs(t, build(t), "../../../examples/..."), "*.html"))
	require.NoError(t, err)
	assert.Greater(t, len(pages), 150)
	began := time.Now()
	accessible(t, pages)
	t.Logf("%d pages in %v", len(pages), time.Since(began).Round(time.Second))
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

// accessible opens pages in several tabs.
func accessible(t *testing.T, pages []string) {
	t.Helper()
	script, err := os.ReadFile(axe)
	require.NoError(t, err)
	browser := start(t)
	next := make(chan string, len(pages)) // a tab that fails leaves the others their pages
	for _, p := range pages {
		next <- p
	}
	close(next)
	var tabs sync.WaitGroup
	for range min(4, len(pages)) {
		b := openFor(browser, t, time.Duration(len(pages))*bound)
		tabs.Go(func() {
			b.width(360)
			for p := range next {
				b.accessible(p, string(script))
			}
		})
	}
	tabs.Wait()
}

// accessible checks a page in both colour schemes. In the second, only the colours are different.
func (b *tab) accessible(path, script string) {
	name := filepath.Base(path)
	b.media("", "light")
	b.goTo("file://" + filepath.ToSlash(path))
	assert.LessOrEqual(b, eval[int](b, `document.documentElement.scrollWidth`), 360, "%s scrolls to the side", name)
	eval[int](b, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), 0)`)
	assert.LessOrEqual(b, eval[int](b, `document.documentElement.scrollWidth`), 360, "%s scrolls to the side with open details", name)
	b.do(chromedp.Evaluate[chromedp.Void](script))
	assert.Empty(b, b.findings(`["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`), "%s, light", name)
	b.media("", "dark")
	assert.Empty(b, b.findings(`["color-contrast", "link-in-text-block"]`), "%s, dark", name)
}

func (b *tab) findings(rules string) []string {
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf(serious, rules), chromedp.EvalAwaitPromise))
	require.NoError(b, err)
	return found
}
