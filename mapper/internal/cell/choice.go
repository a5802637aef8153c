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

// Alternative is a member of a group of which at most one has a value.
type Alternative struct {
	Name    string
	Present bool
}

// CheckChoice reports a fault where the value that names the alternative in use, the one at place of its row or UDT, names
// one without a value while another has one. Without a name the values decide: another program may have written them. No
// value at all is none, because Cassandra stores a UDT of nulls and an empty collection as null.
func (d *Decoder) CheckChoice(place int, name string, all ...Alternative) {
	other := ""
	for _, a := range all {
		if a.Present && a.Name == name {
			return
		}
		if a.Present {
			other = a.Name
		}
	}
	if name != "" && other != "" && d.fault == nil {
		d.fail("names an alternative that has no value, but " + other + " has one")
		d.fault.place = 1 + place
	}
}
