package advise

import (
	_ "embed" // the weights
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

// Weights are the processor time, in microseconds, of each kind of request, of the client and of the servers together.
type Weights struct {
	Read        float64 `json:"read"`        // a read of one partition
	Write       float64 `json:"write"`       // one statement
	Batch       float64 `json:"batch"`       // a logged batch, without its statements
	Statement   float64 `json:"statement"`   // a statement of a batch
	Conditional float64 `json:"conditional"` // a conditional statement or batch
}

//go:embed weights.json
var published []byte

// DefaultWeights returns the weights of docs/performance/weights.json, which go run ./integration/bench -approaches fits to the processor times of all
// operations of the designs that it measures.
func DefaultWeights() Weights {
	w, _ := ReadWeights("weights.json", published) // a test reads them
	return w
}

// minWeight is the least weight.
const minWeight = 1e-6

const weightsForm = `write {"read": 133, "write": 94, "batch": 104, "statement": 18, "conditional": 503}, in microseconds of processor time`

// ReadWeights reads weights as JSON: an object with a number for each kind of request.
func ReadWeights(file string, text []byte) (Weights, error) {
	var w Weights
	d := newDocument(file, text)
	pos := d.pos()
	if err := d.expect('{'); err != nil {
		return w, fmt.Errorf("%s: the weights are not an object of JSON: %w: %s", pos, err, weightsForm)
	}
	missing := map[string]*float64{"read": &w.Read, "write": &w.Write, "batch": &w.Batch, "statement": &w.Statement, "conditional": &w.Conditional}
	for d.More() {
		if err := d.weight(missing); err != nil {
			return w, err
		}
	}
	pos = d.pos()
	if err := d.expect('}'); err != nil {
		return w, fmt.Errorf("%s: the object of the weights does not end: %w: %s", pos, err, weightsForm)
	}
	if len(missing) > 0 {
		return w, fmt.Errorf("%s: a weight is missing: %s: %s", pos, strings.Join(slices.Sorted(maps.Keys(missing)), ", "), weightsForm)
	}
	return w, d.end()
}

// weight reads a name and its number, and removes it from those that are missing.
func (d *document) weight(missing map[string]*float64) error {
	pos := d.pos()
	name, err := d.Token()
	if err != nil {
		return fmt.Errorf("%s: the weights are not JSON: %w: %s", pos, err, weightsForm)
	}
	key, _ := name.(string)
	to := missing[key]
	if to == nil {
		return fmt.Errorf("%s: %q is not a weight, or the second one with the name: %s", pos, name, weightsForm)
	}
	pos = d.pos()
	if *to, err = d.number(minWeight, maxMicroseconds); err != nil {
		return fmt.Errorf("%s: the weight %s: %w: %s", pos, key, err, weightsForm)
	}
	delete(missing, key)
	return nil
}

// Cost returns the processor time of an operation.
func (w Weights) Cost(c *alternatives.Cost) float64 {
	single := c.Requests - c.Conditional - c.Reads - c.Batches
	return w.Read*float64(c.Reads) + w.Write*float64(single) + w.Batch*float64(c.Batches) + w.Statement*float64(c.Batched) + w.Conditional*float64(c.Conditional)
}
