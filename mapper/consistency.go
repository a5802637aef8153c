package mapper

import "github.com/cassaml/cassaml/mapper/driver"

// Consistency is a consistency level.
type Consistency = driver.Consistency

// The consistency levels.
const (
	One         = driver.One
	Two         = driver.Two
	Three       = driver.Three
	Quorum      = driver.Quorum
	All         = driver.All
	LocalQuorum = driver.LocalQuorum
	EachQuorum  = driver.EachQuorum
	LocalOne    = driver.LocalOne
	Serial      = driver.Serial
	LocalSerial = driver.LocalSerial
)
