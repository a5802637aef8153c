package browser_test

import (
	"bufio"
	_ "embed"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed contrast.js
var contrast string

var every = flag.Bool("every", false, "use the sites in a browser, and check every page of every example")

// TestBrowser opens the site of the quickstart from disk and served.
func TestBrowser(t *testing.T) {
	if !*every {
		t.Skip("with -every, in go run ./integration/long")
	}
	chromium(t) // before anything is built
	aml := build(t)
	model := copyModel(t, "../../../examples/quickstart/shop")
	dir := docs(t, aml, model)
	browser := start(t)
	onDisk := func(dir string) string { return "file://" + filepath.ToSlash(dir) + "/" }
	disk, library, vehicles := onDisk(dir), onDisk(docs(t, aml, "../../../examples/library/catalogue")), onDisk(docs(t, aml, "../../../examples/vehicles/..."))

	t.Run("diagram", func(t *testing.T) { testDiagram(open(browser, t), disk) })
	t.Run("search", func(t *testing.T) { testSearch(open(browser, t), disk) })
	t.Run("words", func(t *testing.T) { testWords(open(browser, t), library) })
	t.Run("zoom", func(t *testing.T) { testZoom(open(browser, t), disk) })
	t.Run("packages", func(t *testing.T) { testPackages(open(browser, t), vehicles) })
	t.Run("keyboard", func(t *testing.T) { testKeyboard(open(browser, t), disk) })
	t.Run("dark", func(t *testing.T) { testDark(open(browser, t), disk) })
	t.Run("narrow", func(t *testing.T) { testNarrow(open(browser, t), disk) })
	t.Run("print", func(t *testing.T) { testPrint(open(browser, t), disk) })
	t.Run("every page", func(t *testing.T) { testEveryPage(open(browser, t), dir) })
	t.Run("served", func(t *testing.T) { testServed(open(browser, t), aml, model) })
}

// build builds the command aml.
func build(t *testing.T) string {
	t.Helper()
	aml := filepath.Join(t.TempDir(), "aml")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", aml, "github.com/cassaml/cassaml/codegen/cmd/aml").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return aml
}

// docs writes the site of a model and returns its folder.
func docs(t *testing.T, aml, model string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	out, err := exec.CommandContext(t.Context(), aml, "docs", "-o", dir, model).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// copyModel copies a model to a folder of this module that is not a package of it, so that a test can change it.
func copyModel(t *testing.T, from string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	dir, err := os.MkdirTemp("testdata", "shop")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.CopyFS(filepath.Join(dir, "shop"), os.DirFS(from)))
	return filepath.Join(dir, "shop")
}

// A click on a box of a diagram opens the page of its aggregate or table.
func testDiagram(b *tab, site string) {
	for page, link := range map[string]struct{ href, heading string }{
		"index.html":          {"aggregate-customer.html", "Customer"},
		"diagram-aml.html":    {"aggregate-vehiclebyplate.html", "VehicleByPlate"},
		"diagram-tables.html": {"table-vehicles.html", "vehicles"},
	} {
		b.goTo(site + page)
		at := eval[[]float64](b, `(() => {
			const shape = document.querySelector('svg a[href="`+link.href+`"] rect');
			shape.scrollIntoView({block: "center", behavior: "instant"});
			const box = shape.getBoundingClientRect();
			return [box.x + box.width / 2, box.y + Math.min(box.height / 2, 20)];
		})()`)
		b.loads(func() { b.do(chromedp.MouseClickXY(at[0], at[1])) })
		assert.Equal(b, link.heading, b.heading(), page)
	}
	b.quiet(site)
}

// A name is found and opened by the keyboard alone.
func testSearch(b *tab, site string) {
	b.goTo(site + "notation.html")
	b.slash()
	b.do(chromedp.KeyEvent("plate"), chromedp.WaitVisible(chromedp.CSS("#results a")))
	assert.Equal(b, "plate", eval[string](b, `document.getElementById("search").value`), "the slash is not typed")
	first := eval[string](b, `document.querySelector("#results [aria-selected=true] .label").innerText`)
	assert.Contains(b, strings.ToLower(first), "plate")
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	target := eval[string](b, `document.querySelector("#results [aria-selected=true]").href`)
	assert.Equal(b, target, eval[string](b, `document.getElementById(document.getElementById("search").getAttribute("aria-activedescendant")).href`), "what a screen reader reads")
	b.loads(func() { b.do(chromedp.KeyEvent(kb.Enter)) })
	assert.Equal(b, target, eval[string](b, `location.href`))

	b.slash()
	b.do(chromedp.KeyEvent("no such name"), chromedp.WaitVisible(chromedp.CSS("#results .none")), chromedp.KeyEvent(kb.Escape))
	assert.False(b, eval[bool](b, `document.querySelector("#results").checkVisibility()`), "Escape closes the results")
	b.quiet(site)
}

// The search finds words, the beginnings of words, and words with errors, in names, queries and diagnostics.
func testWords(b *tab, site string) {
	b.goTo(site + "notation.html")
	b.slash()
	for query, want := range map[string]string{
		"by venue": "ArtifactByVenue", "venue artifact by": "ArtifactByVenue", "artefact": "Artifact", "artif" + "cat": "Artifact", "artifc": "Artifact", "ArtifactByVenue": "ArtifactByVenue", "artif ven": "ArtifactByVenue",
		"AML9": "AML902 plain projection that overlapping writes can leave wrong", "overlbpping": "AML902 plain projection that overlapping writes can leave wrong", "artifacts.get": "Artifacts.Get",
	} {
		eval[string](b, `document.getElementById("search").value = ""`)
		b.do(chromedp.SendKeys(chromedp.CSS("#search"), query), chromedp.WaitVisible(chromedp.CSS("#results a")))
		assert.Equal(b, want, eval[string](b, `document.querySelector("#results .label").innerText`), query)
	}
	b.quiet(site)
}

// A diagram that is larger than its place can be zoomed, fitted and filtered by the keyboard.
func testZoom(b *tab, site string) {
	b.width(360)
	b.goTo(site + "diagram-aml.html")
	width := func() float64 {
		return eval[float64](b, `document.querySelector("svg.diagram").getBoundingClientRect().width`)
	}
	size := width()
	b.do(chromedp.Focus(chromedp.CSS("figure .scroll")), chromedp.KeyEvent("+"))
	assert.InDelta(b, 1.25*size, width(), 1)
	b.do(chromedp.KeyEvent("f"))
	assert.LessOrEqual(b, eval[int](b, `document.querySelector("figure .scroll").scrollWidth`), 360, "the whole diagram is visible")
	b.do(chromedp.KeyEvent("0"))
	assert.InDelta(b, size, width(), 1)

	faded := func(name string) bool {
		return eval[bool](b, `document.querySelector("svg a[aria-label=`+name+`]").classList.contains("faded")`)
	}
	b.do(chromedp.SendKeys(chromedp.CSS(".tools input"), "byplate"))
	assert.True(b, faded("Customer"))
	assert.False(b, faded("VehicleByPlate"))
	assert.True(b, eval[bool](b, `(() => {
		const box = document.querySelector("svg a[aria-label=VehicleByPlate]").getBoundingClientRect(), view = document.querySelector("figure .scroll").getBoundingClientRect();
		return box.right > view.left && box.left < view.right;
	})()`), "the match is visible")
	assert.Contains(b, eval[string](b, `document.querySelector(".tools [role=status]").innerText`), "1 of ")
	b.do(chromedp.KeyEvent(kb.Escape))
	assert.False(b, faded("Customer"))
	b.quiet(site)
}

// Packages of one name are distinguished. The filter keeps only the matches of a package, not everything in its frame.
func testPackages(b *tab, site string) {
	b.width(1280)
	b.goTo(site + "diagram-aml.html")
	assert.Contains(b, eval[[]string](b, `[...document.querySelectorAll("#navigation h2 code")].map((e) => e.innerText)`), "approach2/fleet")
	b.do(chromedp.SendKeys(chromedp.CSS(".tools input"), "VeiculoPorPlaca"))
	faded := func(text string) []bool {
		return eval[[]bool](b, `[...document.querySelectorAll("svg > text")].filter((e) => e.textContent.includes("`+text+`")).map((e) => e.classList.contains("faded"))`)
	}
	assert.NotContains(b, faded("+ Veiculos ["), false, "a line of another aggregate")
	assert.Contains(b, faded("+ Cliente"), false, "a line of a match")
	b.goTo(site + "aggregate-approach2-fleet-cliente.html")
	assert.Equal(b, "approach2/fleet.Cliente", strings.Split(eval[string](b, `document.title`), " – ")[0])
	b.quiet(site)
}

// The first Tab reaches a link that skips the navigation, and the control that has the focus shows it.
func testKeyboard(b *tab, site string) {
	b.goTo(site + "index.html")
	b.do(chromedp.KeyEvent(kb.Tab))
	assert.Equal(b, "Skip to the content", eval[string](b, `document.activeElement.innerText`))
	assert.GreaterOrEqual(b, eval[float64](b, `document.activeElement.getBoundingClientRect().top`), 0.0, "the link is visible")
	for range 12 {
		b.do(chromedp.KeyEvent(kb.Tab))
		assert.True(b, eval[bool](b, `(() => {
			const s = getComputedStyle(document.activeElement);
			return document.activeElement !== document.body && (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none");
		})()`), "%s", eval[string](b, `document.activeElement.outerHTML`))
	}
	b.quiet(site)
}

const (
	pageColor = `getComputedStyle(document.body).backgroundColor`
	boxColor  = `getComputedStyle(document.querySelector("svg rect")).fill`
	textColor = `getComputedStyle(document.querySelector("svg text")).fill`
)

// The theme button changes the colours of the page and of its diagrams, and the next page keeps the choice.
func testDark(b *tab, site string) {
	b.goTo(site + "diagram-aml.html")
	colors := func() []string {
		return []string{eval[string](b, pageColor), eval[string](b, boxColor), eval[string](b, textColor)}
	}
	light := colors()
	b.do(chromedp.Click(chromedp.CSS("#theme")))
	dark := colors()
	for i := range light {
		assert.NotEqual(b, light[i], dark[i])
	}
	b.goTo(site + "diagram-tables.html")
	assert.Equal(b, dark[0], eval[string](b, pageColor), "the choice is kept")
	b.do(chromedp.Click(chromedp.CSS("#theme")))
	assert.Equal(b, light[0], eval[string](b, pageColor))
	eval[string](b, `(localStorage.clear(), "")`)
	b.media("", "dark")
	b.goTo(site + "diagram-aml.html")
	assert.Equal(b, dark, colors(), "what the system prefers")
	b.media("", "light")
	b.quiet(site)
}

// In a narrow window, a button opens the navigation.
func testNarrow(b *tab, site string) {
	b.width(360)
	b.goTo(site + "index.html")
	visible := `document.querySelector("#navigation").checkVisibility()`
	assert.False(b, eval[bool](b, visible))
	b.do(chromedp.Click(chromedp.CSS("#menu")))
	assert.True(b, eval[bool](b, visible))
	assert.Equal(b, "true", eval[string](b, `document.querySelector("#menu").getAttribute("aria-expanded")`))
	b.loads(func() { b.do(chromedp.Click(chromedp.CSS(`#navigation a[href="table-customers.html"]`))) })
	assert.Equal(b, "customers", b.heading())
	assert.False(b, eval[bool](b, visible), "the next page begins with its content")
	b.do(chromedp.Click(chromedp.CSS("#menu")), chromedp.KeyEvent(kb.Escape))
	assert.False(b, eval[bool](b, visible), "Escape closes the navigation")
	b.quiet(site)
}

// A printed page shows its content, dark on white, and no controls.
func testPrint(b *tab, site string) {
	b.media("print", "dark")
	b.goTo(site + "aggregate-customer.html")
	for _, hidden := range []string{".bar", "#navigation"} {
		assert.False(b, eval[bool](b, `document.querySelector("`+hidden+`").checkVisibility()`), hidden)
	}
	assert.Equal(b, "rgb(255, 255, 255)", eval[string](b, pageColor))
	assert.Empty(b, eval[[]string](b, contrast))
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	require.NoError(b, err)
	assert.True(b, strings.HasPrefix(string(pdf), "%PDF-"))
	b.quiet(site)
}

// Every page can be read in light and dark, and in a window of 360 pixels without scrolling to the side.
func testEveryPage(b *tab, dir string) {
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	require.NoError(b, err)
	assert.Greater(b, len(pages), 5)
	for _, p := range pages {
		b.goTo("file://" + filepath.ToSlash(p))
		for _, colors := range []string{"light", "dark"} {
			b.media("", colors)
			assert.Empty(b, eval[[]string](b, contrast), "%s, %s", filepath.Base(p), colors)
		}
		for _, w := range []int64{360, 1280} {
			b.width(w)
			assert.LessOrEqual(b, eval[int](b, `document.documentElement.scrollWidth`), int(w), filepath.Base(p))
		}
	}
	b.quiet("file://" + filepath.ToSlash(dir) + "/")
}

// A served page reloads after a change of the model, with its faults or with what has been added.
func testServed(b *tab, aml, model string) {
	c := exec.CommandContext(b.Context(), aml, "docs", "-serve", model)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, c.Start())
	url, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	site := strings.TrimSpace(url)

	b.goTo(site)
	b.loads(func() { b.do(chromedp.Click(chromedp.CSS(`#navigation a[href="aggregate-customer.html"]`))) })
	assert.Equal(b, "Customer", b.heading())
	assert.NotContains(b, eval[string](b, `document.body.innerText`), "Nickname")

	file := filepath.Join(model, "model.go")
	good, err := os.ReadFile(file)
	require.NoError(b, err)
	change := func(old, new string) func() {
		return func() {
			require.Contains(b, string(good), old)
			require.NoError(b, os.WriteFile(file, []byte(strings.Replace(string(good), old, new, 1)), 0o600))
		}
	}
	name := "\tName     string     `aml:\"name,required\"`\n"
	b.loads(change(name, name+"\tNickname string `aml:\"nickname\"`\n"))
	assert.Equal(b, "Customer", b.heading(), "the same page")
	assert.Contains(b, eval[string](b, `document.body.innerText`), "Nickname")
	b.quiet(site)

	b.loads(change(name, strings.Replace(name, "required", "requird", 1)))
	assert.Equal(b, "The model has faults", b.heading())
	assert.Contains(b, eval[string](b, `document.body.innerText`), "requird")
	assert.Empty(b, eval[[]string](b, contrast))
	b.loads(func() { b.do(chromedp.Click(chromedp.CSS(`a[href*="/last/"]`))) })
	assert.Contains(b, eval[string](b, `document.body.innerText`), "Nickname", "the last site without faults")
	b.loads(func() { require.NoError(b, os.WriteFile(file, good, 0o600)) })
	assert.Equal(b, "Customer", b.heading())
	assert.NotContains(b, eval[string](b, `document.body.innerText`), "Nickname")

	require.NoError(b, c.Process.Signal(os.Interrupt))
	require.NoError(b, c.Wait(), "Ctrl-C ends the command without an error")
}
