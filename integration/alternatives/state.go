package alternatives

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// state has the complete rounds of a measurement.
type state struct {
	Rounds  int               `json:"rounds"`
	Records map[string]record `json:"records"` // the keys are names of series
}

// key is the name of a series in a state.
func (s *series) key() string { return fmt.Sprintf("%s, %s, %d", s.name, s.operation, s.elements) }

// resume sets the records of series to the records in a file, and returns its number of rounds; 0 if there is no file.
func resume(all []*series, file string) (rounds int, err error) {
	text, err := os.ReadFile(file)
	if file == "" || errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var s state
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return 0, err
	}
	for _, x := range all {
		r, ok := s.Records[x.key()]
		if !ok || len(s.Records) != len(all) {
			return 0, fmt.Errorf("%s belongs to a run with other designs or numbers of elements: remove it", file)
		}
		x.record = r
	}
	return s.Rounds, nil
}

// save writes the records of series to a file.
func save(all []*series, rounds int, file string) error {
	if file == "" {
		return nil
	}
	s := state{rounds, map[string]record{}}
	for _, x := range all {
		s.Records[x.key()] = x.record
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
