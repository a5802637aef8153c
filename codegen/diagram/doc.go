// Package diagram draws models. A notation turns a model into a [Picture], which is lines, boxes and texts with their places, and a
// picture is rendered as SVG or PNG. The same model gives the same bytes.
package diagram
