// Package browser opens the sites of aml docs in a headless Chromium. It has tests only. Without a Chromium they are skipped. `go test ./...` opens one
// page of each kind; with -every, they use the sites, and open every page of every example:
//
//	go test ./integration/site/browser -every
package browser
