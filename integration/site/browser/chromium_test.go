package browser_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chromium returns the path of a Chromium. Without one, the test is skipped, or fails with -every.
func chromium(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}
	if path := os.Getenv("CHROMIUM"); path != "" {
		names = []string{path}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const install = "no Chromium: install it (Debian, Ubuntu: apt-get install chromium; macOS: brew install --cask chromium), or set CHROMIUM to its path"
	if !*every {
		t.Skip(install)
	}
	require.FailNow(t, install)
	return ""
}

// start starts a Chromium, which ends with the test. It looks for no updates, and requests only what pages request.
func start(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.DisableGPU, chromedp.WindowSize(1280, 800),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("allow-file-access-from-files", false))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // the sandbox does not work for root
	}
	all, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(all)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits until Chromium has ended
		end()
	})
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// bound is the longest time that a test waits for a page: it ends a test in which what it waits for never happens.
const bound = time.Minute

// tab is a page of the browser. It collects what the page requests and what it writes to the console.
type tab struct {
	*testing.T
	ctx      context.Context
	mu       sync.Mutex
	requests []string
	console  []string
}

func open(browser context.Context, t *testing.T) *tab {
	t.Helper()
	return openFor(browser, t, bound)
}

func openFor(browser context.Context, t *testing.T, longest time.Duration) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(browser)
	ctx, stop := context.WithTimeout(ctx, longest)
	t.Cleanup(stop)
	b := &tab{T: t, ctx: ctx}
	t.Cleanup(end)
	require.NoError(t, chromedp.Do(ctx))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, page.BringToFront, cdp.Empty{}) // a tab behind another one draws nothing
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}) // keys go to the page
	require.NoError(t, err)
	require.NoError(t, chromedp.Listen(ctx, func(e any) {
		if r, ok := e.(*network.EventRequestWillBeSent); ok {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.requests = append(b.requests, r.Request.URL)
		}
	}))
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.console = append(b.console, m.String())
			b.mu.Unlock()
		}
	}()
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	require.NoError(b, chromedp.Do(b.ctx, steps...))
}

// eval evaluates a JavaScript expression.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b, err, "%s", expression)
	return v
}

func (b *tab) goTo(url string) {
	b.Helper()
	b.do(chromedp.Navigate(url))
}

// loads calls a function and waits until the page that it opens has been loaded.
func (b *tab) loads(do func()) {
	b.Helper()
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	loaded := chromedp.Events(ctx, page.LoadEventFired)
	do()
	for _, err := range loaded {
		require.NoError(b, err)
		return
	}
}

// heading returns the text of the first heading.
func (b *tab) heading() string { return eval[string](b, `document.querySelector("h1").innerText`) }

// width sets the width of the window.
func (b *tab) width(w int64) {
	b.Helper()
	b.do(chromedp.EmulateViewport(w, 800))
}

// media sets the medium, "" or "print", and the colours that the reader prefers, "light" or "dark".
func (b *tab) media(medium, colors string) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colors}},
	})
	require.NoError(b, err)
}

// slash presses the key of the search as a keyboard does: chromedp.KeyEvent sends the character even if a script prevents it.
func (b *tab) slash() {
	b.Helper()
	for _, e := range []input.DispatchKeyEventParams{{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/"}, {Type: input.DispatchKeyEventTypeKeyUp, Key: "/", Code: "Slash"}} {
		_, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, e)
		require.NoError(b, err)
	}
}

// quiet checks that all requests of the page begin with an address, and that it has written nothing to the console.
func (b *tab) quiet(place string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	assert.NotEmpty(b, b.requests)
	for _, r := range b.requests {
		assert.True(b, strings.HasPrefix(r, place), "requests %s", r)
	}
	assert.Empty(b, b.console)
}
