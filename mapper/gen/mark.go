package gen

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// markOf writes how far a backfill has got in its source: "crates c784b1…", the table and the position of the last
// partition that it is done with.
func markOf(t *Table, position cell.Cell) string {
	return t.Name + " " + hex.EncodeToString(position)
}

// positionOf reads a mark; the empty one is the beginning.
func positionOf(t *Table, mark string) (cell.Cell, error) {
	if mark == "" {
		return nil, nil
	}
	name, text, _ := strings.Cut(mark, " ")
	position, err := hex.DecodeString(text)
	switch {
	case name != t.Name:
		return nil, fmt.Errorf("the mark %.200q is not one of table %s: with an empty mark it begins again", mark, t.Name)
	case err != nil || len(position) == 0:
		return nil, fmt.Errorf("the mark %.200q has no position behind the name of the table: with an empty mark it begins again", mark)
	}
	return position, nil
}

// refusedMark reports whether a read that begins after a mark was refused for what it contains: nothing else in the read comes
// from outside, so that no repeat of it helps.
func refusedMark(mark string, err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return mark != "" && ok && e.Code() == gocql.ErrCodeInvalid
}
