package plan

// Index describes how rows are found by the value of a column that is not the whole key.
type Index struct {
	Column int
	Target string // what is indexed, as system_schema.indexes has it: tags in values(tags)
	Read   Lookup

	Similarity string // Near: COSINE, DOT_PRODUCT or EUCLIDEAN

	// How a text is brought into the form that is compared.
	AnyCase bool // in lower case
	Normal  bool // in Unicode's normalization form C
	ASCII   bool // in letters of ASCII, where there are such
}
