package copydata

import (
	"encoding/binary"
	"math"
)

// stamp is when a cell was written, in microseconds since 1970, and how much of its time to live is left.
type stamp struct {
	at  int64
	ttl int32 // in seconds; 0: it does not expire; below 0: it is over
}

// none is the stamp of what has none: a null, a value of a key.
var none = stamp{at: math.MinInt64}

// stamps reads what WRITETIME and TTL give of a column: a number each, or a list of them for a value that is not frozen. An
// element that is null has none.
func stamps(several bool, at, ttl raw) []stamp {
	if !several {
		if at == nil {
			return nil
		}
		return []stamp{stampOf(at, ttl)}
	}
	var out []stamp
	times, lives := elements(at), elements(ttl)
	for i, t := range times {
		s := none
		if t != nil && i < len(lives) {
			s = stampOf(t, lives[i])
		}
		out = append(out, s)
	}
	return out
}

func stampOf(at, ttl raw) stamp {
	s := stamp{at: int64(binary.BigEndian.Uint64(at))}
	if ttl != nil {
		if s.ttl = int32(binary.BigEndian.Uint32(ttl)); s.ttl == 0 {
			s.ttl = -1 // its last second; 0 in a statement would make it last for ever
		}
	}
	return s
}

// together is the stamp of one value that is made of several: the latest write time, and the longest time to live.
func together(in []stamp) stamp {
	out := none
	for _, s := range in {
		switch {
		case s == none:
		case out == none:
			out = s
		default:
			longest := max(out.ttl, s.ttl)
			if out.ttl == 0 || s.ttl == 0 {
				longest = 0
			}
			out = stamp{at: max(out.at, s.at), ttl: longest}
		}
	}
	return out
}
