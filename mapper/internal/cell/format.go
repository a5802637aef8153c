package cell

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Format writes a cell of a native type as a CQL literal, for messages: 7, 'São Paulo', 2026-03-04T05:06:07Z,
// 0xcafe for what has no short literal. Text of more than 64 bytes is cut.
func Format(cqlType string, c Cell) string {
	if c == nil {
		return "null"
	}
	var d Decoder
	d.Row(Row{c})
	s := format(cqlType, c, &d)
	if d.Err() != nil {
		return "0x" + hex.EncodeToString(c)
	}
	return s
}

func format(cqlType string, c Cell, d *Decoder) string {
	switch cqlType {
	case "ascii", "text", "varchar":
		return quote(d.Text())
	case "tinyint":
		return strconv.Itoa(int(d.Tinyint()))
	case "smallint":
		return strconv.Itoa(int(d.Smallint()))
	case "int":
		return strconv.Itoa(int(d.Int()))
	case "bigint", "counter":
		return strconv.FormatInt(d.Bigint(), 10)
	case "varint":
		return d.Varint().String()
	case "boolean":
		return strconv.FormatBool(d.Boolean())
	case "timestamp":
		return d.Timestamp().Format(time.RFC3339Nano)
	case "date":
		return d.Date().Format(time.DateOnly)
	case "time":
		return d.ClockTime().Format("15:04:05.999999999")
	case "inet":
		return d.Addr().String()
	case "uuid", "timeuuid":
		return formatUUID(d.UUID())
	}
	if len(c) > textMax {
		return "0x" + hex.EncodeToString(c[:textMax]) + "…"
	}
	return "0x" + hex.EncodeToString(c)
}

const textMax = 64

func quote(s string) string {
	if len(s) > textMax {
		s = strings.ToValidUTF8(s[:textMax], "") + "…"
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func formatUUID(u [16]byte) string {
	h := hex.EncodeToString(u[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
