// Package diagram draws models. A notation turns models into a [Picture], which consists of boxes, lines and texts with their positions.
// A picture is rendered as SVG or PNG. The same model produces the same bytes.
package diagram
