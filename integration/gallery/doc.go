// Package gallery tests the page docs/gallery.md: its pictures show the models, and it shows every example and every
// published design.
package gallery
