// Package browser opens the sites of aml docs in a headless Chromium. It has tests only, with the build tag browser, so that `go test ./...`
// does not compile chromedp:
//
//	go test -tags=browser ./integration/site/browser
package browser
