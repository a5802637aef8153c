package service

import "shop"

func discards(s *shop.Store, p shop.ReadingParts) {
	p.Of()         // want `AML723: the statement selects rows, and neither reads nor deletes them; call Delete`
	p.Of().AtTo(9) // want `AML723`
	p.Of().AtTo(9).Delete()
	s.Readings.Of("a")          // want `AML723: .*; call All, Page, First, Count or Delete`
	s.Readings.Of("a").Limit(3) // want `AML723: .*; call All, Page, First or Count`
	s.Readings.Of("a").Delete()
	s.Readings.Of("a").All()
	q := s.Readings.Of("a")
	_ = q
	//aml:ignore AML723 the call is measured
	s.Readings.Of("a")
	s.Open()
}
