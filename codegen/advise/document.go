package advise

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// maxMicroseconds is the greatest time that a file of weights or measurements can have: more is not a time of one request.
const maxMicroseconds = 1e9

// document reads a file of one JSON value token by token, so that each error has its position, and no name occurs twice.
type document struct {
	*json.Decoder
	file, text string
}

func newDocument(file string, text []byte) *document {
	d := &document{json.NewDecoder(bytes.NewReader(text)), file, string(text)}
	d.UseNumber()
	return d
}

// pos returns the position of the next token.
func (d *document) pos() model.Pos {
	from := int(d.InputOffset())
	from += len(d.text[from:]) - len(strings.TrimLeft(d.text[from:], " \t\r\n,:"))
	line, column := syntax.Positions(d.text)(from)
	return model.Pos{File: d.file, Line: line, Col: column}
}

// expect reads a delimiter.
func (d *document) expect(want json.Delim) error {
	t, err := d.Token()
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("there is no %s", want)
	case err != nil:
		return err
	case t != want:
		return fmt.Errorf("%v is not %s", t, want)
	}
	return nil
}

// number reads a number between two others.
func (d *document) number(least, greatest float64) (float64, error) {
	t, err := d.Token()
	if err != nil {
		return 0, err
	}
	text, _ := t.(json.Number)
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || n < least || n > greatest {
		return 0, fmt.Errorf("%v is not a number from %g to %g", t, least, greatest)
	}
	return n, nil
}

// end checks that nothing follows the value.
func (d *document) end() error {
	pos := d.pos()
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: other text follows the JSON value of the file: delete it", pos)
	}
	return nil
}
