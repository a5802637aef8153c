package copydata

import (
	"math"

	"github.com/cassaml/cassaml/mapper/driver"
)

// raw is an encoded value; nil is null.
type raw []byte

// cells is the value of a column in a row.
type cells struct {
	value  raw
	typ    driver.Type
	stamps []stamp // one, or for a value that is not frozen, one for each element; none in a key
}

// row is a row of From.
type row struct {
	token  int64
	of     map[string]cells // the key is the name of the column
	unseen []stamp          // the stamps of the columns that are not copied
	static bool             // the static values of a partition without rows

	repeats bool // the row before it has the same values of the partition
}

// stamp is the write time of a cell, in microseconds since 1970, and its remaining TTL.
type stamp struct {
	at  int64
	ttl int32 // seconds; 0: it does not expire; below 0: it has expired
}

// none is the stamp of a null and of a value in a key.
var none = stamp{at: math.MinInt64}
