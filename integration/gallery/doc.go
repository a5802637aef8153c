// Package gallery tests the page docs/gallery.md: its pictures are the diagrams of the models, and it shows every example and every
// published design.
package gallery
