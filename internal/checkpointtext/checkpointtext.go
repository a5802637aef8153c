// Package checkpointtext has the form of the checkpoints that scans of a store save, and from which package migrate reads how far a backfill is.
package checkpointtext

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
)

// Format returns the checkpoint of a scan, "crates c784b1f0623f9efb": its name, which has no space, and the position of the last partition
// that is complete.
func Format(name string, position []byte) string { return name + " " + hex.EncodeToString(position) }

// Share returns the part of the token range, from 0 to 1, that a scan has read up to a checkpoint. A checkpoint can continue after a space. ok is
// false for a text of another form, such as the checkpoint of a function that does not read by token.
func Share(text string) (part float64, ok bool) {
	_, rest, _ := strings.Cut(text, " ")
	digits, _, _ := strings.Cut(rest, " ")
	position, err := hex.DecodeString(digits)
	if err != nil || len(position) != 8 {
		return 0, false
	}
	token := int64(binary.BigEndian.Uint64(position))
	return (float64(token) - math.MinInt64) / -(2 * float64(math.MinInt64)), true
}
