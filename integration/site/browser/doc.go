// Package browser opens the sites of aml docs in a headless Chromium. It has tests only.
package browser
