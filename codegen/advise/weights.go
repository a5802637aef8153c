package advise

import (
	_ "embed" // the weights
	"encoding/json"
	"errors"
	"fmt"
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
	w, _ := ReadWeights(published) // a test reads them
	return w
}

// ReadWeights reads weights as JSON.
func ReadWeights(text []byte) (Weights, error) {
	var w Weights
	in := json.NewDecoder(strings.NewReader(string(text)))
	in.DisallowUnknownFields()
	if err := in.Decode(&w); err != nil {
		return w, fmt.Errorf("the weights are not JSON with the numbers read, write, batch, statement and conditional: %w", err)
	}
	if min(w.Read, w.Write, w.Batch, w.Statement, w.Conditional) <= 0 {
		return w, errors.New("a weight is missing or not positive: read, write, batch, statement and conditional are microseconds of processor time")
	}
	return w, nil
}

// Cost returns the processor time of an operation.
func (w Weights) Cost(c *alternatives.Cost) float64 {
	single := c.Requests - c.Conditional - c.Reads - c.Batches
	return w.Read*float64(c.Reads) + w.Write*float64(single) + w.Batch*float64(c.Batches) + w.Statement*float64(c.Batched) + w.Conditional*float64(c.Conditional)
}
