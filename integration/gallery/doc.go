// Package gallery tests the page docs/gallery.md: its pictures are those of the models, and every example and every published
// design is on it.
package gallery
