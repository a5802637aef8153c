// Package hostile has names that a grammar of Mermaid reads as signs.
package hostile

import "github.com/cassaml/cassaml/aml"

type Note struct {
	aml.Aggregate `aml:"class"`

	ID        int32          `aml:"'i d',identifier"`
	Direction string         `aml:"'direction TB',required"`
	Class     *string        "aml:\"'<b>\\\"x\\\"</b>',xor=Kind\""
	Default   *int32         `aml:"'a;b#c~d',xor=Kind"`
	Size      string         "aml:\"'%% \\x60y\\x60 {z}'\""
	Map       map[string]End `aml:"'*x*',composition,max=2"`
	End       *End           `aml:"end,composition"`
	Größe     string         `aml:"größe"`
	PK        string         `aml:"PK"`
	Long      string         `aml:"a_name_that_is_longer_than_the_sixty_letters_that_a_label_can_have_1234567890"`
}

type End struct {
	O     string `aml:"'o\\n'"`
	Style string `aml:"style,required"`
}

type Style struct {
	aml.Aggregate `aml:"end"`

	U    int32  `aml:"u,identifier"`
	Of   int32  `aml:"'</desc><script>',discriminator"`
	Note int32  `aml:"note,association=Note"`
	TB   string `aml:"'\u202eright'"`
}

//aml:ignore AML902 it is not stored
type O struct {
	aml.Aggregate `aml:"o,redundant=Note.Map,distinct"`

	Style string "aml:\"'%%{init: {}}%%',identifier,from=Note.Direction\""
	E     string "aml:\"'\\\"',identifier,from=Note.Map.$key\""
}
