package browser_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the screenshots of docs/gallery.md")

// TestScreenshots takes the screenshots of docs/gallery.md. Fonts differ between machines, so they are not compared: TestBrowser checks
// what they show.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("with -update")
	}
	site := "file://" + filepath.ToSlash(docs(t, build(t), "../../../examples/library/catalogue")) + "/"
	b := open(start(t), t)
	shot := func(name string) {
		png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		dir := filepath.Join("..", "..", "..", "docs", "gallery", "site")
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
	}
	b.width(1280)
	b.media("", "light")
	b.goTo(site + "index.html")
	shot("overview")
	b.goTo(site + "aggregate-artifact.html")
	b.slash()
	b.do(chromedp.KeyEvent("title"), chromedp.WaitVisible(chromedp.CSS("#results a")))
	shot("search")
	b.media("", "dark")
	b.goTo(site + "diagram-tables.html")
	shot("tables-dark")
	b.width(360)
	b.goTo(site + "aggregate-artifact.html")
	shot("narrow")
}
