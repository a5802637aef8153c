package cell

// Choice writes the name of the alternative in use; none, which is "", is null.
func (e *Encoder) Choice(name string) {
	if name == "" {
		e.Null()
		return
	}
	e.Text(name)
}

// Skip reads over a value that nothing in the struct holds.
func (d *Decoder) Skip() { d.next() }
