package alternatives

import "regexp"

// decision matches the paragraph in which aml import -mermaid has described the place of a struct: another design has another place.
var decision = regexp.MustCompile(`^\w+ is (?:a root,|an element of|a part of|stored in) .*\bAlternatives?: `)

// describe describes the new place of a side if aml import has described the old one.
func (d *draft) describe(s *Side, place string) {
	d.ReplaceParagraph(s.Struct, decision, s.Struct+" is "+place+".")
}
