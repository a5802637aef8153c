package model

// Build returns the model of a package and all its diagnostics, in the order of the source. If one of them is a refusal, the
// model is incomplete and must not be used; with only warnings it is complete.
func Build(p *Package) (*Model, []Diagnostic) {
	r := newReader(p)
	for _, s := range p.Structs {
		r.declare(s)
	}
	f, m := r.faults, r.model
	paths := &resolver{reader: r, externals: map[*Struct]*Aggregate{}}
	(&partLinker{paths}).parts()
	(&associationLinker{paths}).associations()
	(&deriver{paths}).redundancies()
	(&copyLinker{paths}).copies()
	(&reverseTables{resolver: paths}).rows()
	(&uniqueReader{f, m}).uniques()
	(&ruleChecker{f, m}).check()
	(&deliveryChecker{f}).deliveries(m)
	(&viewReader{paths}).views()
	(&nameChecker{f, r.visits, m}).names()
	if !Refused(f.list) {
		(&warner{f, m, r.composed}).warnings()
	}
	f.ignore(p.Ignores)
	return m, Sorted(f.list)
}
