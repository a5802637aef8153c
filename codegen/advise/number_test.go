package advise_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
)

func TestReadWeights(t *testing.T) {
	t.Parallel()
	w, err := advise.ReadWeights("w.json", []byte(`{"read": 1, "write": 2, "batch": 3.5, "statement": 1e-6, "conditional": 1e9}`+"\n"))
	require.NoError(t, err)
	require.Equal(t, advise.Weights{Read: 1, Write: 2, Batch: 3.5, Statement: 1e-6, Conditional: 1e9}, w)
}

// Weights that would make a cost infinite, negative or no number are refused, as is a file whose numbers are not all read.
func TestWrongWeights(t *testing.T) {
	t.Parallel()
	const rest = `"write": 2, "batch": 3, "statement": 4, "conditional": 5}`
	for text, want := range map[string]string{
		"":                                   "w.json:1:1: the weights are not an object of JSON: there is no {: write {",
		"[]":                                 "w.json:1:1: the weights are not an object of JSON: [ is not {: write {",
		"{\n \"reads\": 1}":                  "w.json:2:2: \"reads\" is not a weight, or the second one with the name: write {",
		"{\n \"Read\": 1}":                   "w.json:2:2: \"Read\" is not a weight, or the second one with the name: write {",
		"{\"read\": 1, \"read\": 2, " + rest: "w.json:1:13: \"read\" is not a weight, or the second one with the name: write {",
		"{\"read\": 1}":                      "w.json:1:11: a weight is missing: batch, conditional, statement, write: write {",
		"{\"read\": 1":                       "w.json:1:11: the object of the weights does not end: there is no }: write {",
		"{\"read\": 1, " + rest + "\n\n{}":   "w.json:3:1: other text follows the JSON value of the file: delete it",
		"{\"read\": 1, " + rest + " 5":       "w.json:1:71: other text follows the JSON value of the file: delete it",
		"{\"read\": \"1\", " + rest:          "w.json:1:10: the weight read: 1 is not a number from 1e-06 to 1e+09: write {",
		"{\"read\": null, " + rest:           "w.json:1:10: the weight read: <nil> is not a number from 1e-06 to 1e+09: write {",
	} {
		_, err := advise.ReadWeights("w.json", []byte(text))
		require.ErrorContains(t, err, want, "%s", text)
	}
	for _, number := range []string{"1e308", "1e999", "1.1e9", "0", "-0", "-1", "1e-7", "1e-320"} {
		for _, name := range []string{"read", "write", "batch", "statement", "conditional"} {
			text := strings.NewReplacer(`"`+name+`": 1`, `"`+name+`": `+number).Replace(`{"read": 1, "write": 1, "batch": 1, "statement": 1, "conditional": 1}`)
			_, err := advise.ReadWeights("w.json", []byte(text))
			require.ErrorContains(t, err, "the weight "+name+": "+number+" is not a number from 1e-06 to 1e+09", "%s", text)
		}
	}
	_, err := advise.ReadWeights("w.json", []byte(`{"read": NaN}`))
	require.ErrorContains(t, err, "w.json:1:10: the weight read: invalid character 'N'")
}

func TestReadMeasurements(t *testing.T) {
	t.Parallel()
	m, err := advise.ReadMeasurements("m.json", []byte(`[{"design": "parts", "operation": "add", "elements": 1, "p99_us": 0, "p50_us": 1}, {"design": "parts", "operation": "add", "elements": 2, "p99_us": 1e9}]`))
	require.NoError(t, err)
	require.Equal(t, []advise.Measurement{{Design: "parts", Operation: "add", Elements: 1}, {Design: "parts", Operation: "add", Elements: 2, P99: 1e9}}, m)
}

// Measurements that are not times, or of which one would be ignored, are refused.
func TestWrongMeasurements(t *testing.T) {
	t.Parallel()
	const head = `{"design": "parts", "operation": "add", `
	for text, want := range map[string]string{
		"":                             "m.json:1:1: the measurements are not a list of JSON: there is no [: write the file with go run ./integration/bench -approaches",
		"{}":                           "m.json:1:1: the measurements are not a list of JSON: { is not [: ",
		"null":                         "m.json:1:1: the measurements are not a list of JSON: <nil> is not [: ",
		"[]":                           "m.json:1:2: the list has no measurement: ",
		"[1]":                          "m.json:1:2: measurement 1: a measurement cannot be a JSON number: ",
		"[null]":                       "m.json:1:2: measurement 1: it has no design, no positive number of elements or no p99_us: ",
		"[" + head + `"elements": 1}]`: "m.json:1:2: measurement 1: it has no design, no positive number of elements or no p99_us: ",
		"[" + head + `"elements": -1, "p99_us": 1}]`:                                               "m.json:1:2: measurement 1: it has no design, no positive number of elements or no p99_us: ",
		"[" + head + `"elements": 1.5, "p99_us": 1}]`:                                              "m.json:1:2: measurement 1: elements cannot be a JSON number 1.5: ",
		`[{"design": "parts", "operation": "paint", "elements": 1, "p99_us": 1}]`:                  "m.json:1:2: measurement 1: there is no operation \"paint\": the operations are read by root, ",
		"[" + head + `"elements": 1, "p99_us": 1},` + "\n" + head + `"p99_us": 2, "elements": 1}]`: "m.json:2:1: measurement 2: add of parts with 1 elements is measured in line 1, too: ",
		"[" + head + `"elements": 1, "p99_us": 1}`:                                                 "the list of measurements does not end: there is no ]: ",
		"[" + head + `"elements": 1, "p99_us": 1}] x`:                                              "other text follows the JSON value of the file: delete it",
		"[\n" + head + `"elements": 1, "p99_us": NaN}]`:                                            "m.json:2:1: measurement 1: invalid character 'N'",
		"[" + head + `"elements": 1, "p99_us": 1e999}]`:                                            "m.json:1:2: measurement 1: p99_us cannot be a JSON number 1e999: ",
		"[" + head + `"elements": 1, "p99_us": -1}]`:                                               "m.json:1:2: measurement 1: the p99_us -1 is neither 0 nor from 0.001 to 1e+09 microseconds: ",
		"[" + head + `"elements": 1, "p99_us": 1e300}]`:                                            "m.json:1:2: measurement 1: the p99_us 1e+300 is neither 0 nor from 0.001 to 1e+09 microseconds: ",
		"[" + head + `"elements": 1, "p99_us": 0.0001}]`:                                           "m.json:1:2: measurement 1: the p99_us 0.0001 is neither 0 nor from 0.001 to 1e+09 microseconds: ",
	} {
		_, err := advise.ReadMeasurements("m.json", []byte(text))
		require.ErrorContains(t, err, want, "%s", text)
	}
}

// Rates and priorities with which costs or positions have no meaning are refused.
func TestNumbersOfAWorkload(t *testing.T) {
	t.Parallel()
	const query = "\nSELECT * FROM customers WHERE id = ?;\n"
	for _, number := range []string{"1" + strings.Repeat("0", 307), "1" + strings.Repeat("0", 400), "1000000000.1", "0", "-0", "-1", "1e308", "NaN", "0.0000001", "."} {
		_, faults := advise.Parse("w.cql", "-- aml:rate "+number+"/s"+query)
		require.Len(t, faults, 1, number)
		require.Equal(t, "w.cql:1:8: the rate \""+number+"/s\" is not a number of calls in a second, from 0.000001/s to 1000000000/s: write -- aml:rate 500/s", faults[0].String())
		_, faults = advise.Parse("w.cql", "-- aml:write Customer.Update "+number+"/s\n")
		require.Len(t, faults, 1, number)
		require.Contains(t, faults[0].String(), "w.cql:1:8: \""+number+"/s\" is not a number of calls in a second, from 0.000001/s to 1000000000/s: write -- ")
	}
	for _, number := range []string{"0", "-0", "-1", "1.5", "1000001", "9223372036854775807", "9223372036854775808", "1e3"} {
		_, faults := advise.Parse("w.cql", "-- aml:priority "+number+query)
		require.Len(t, faults, 1, number)
		require.Equal(t, "w.cql:1:8: the priority \""+number+"\" is not a number from 1 to 1000000: write -- aml:priority 1", faults[0].String())
	}
	for _, text := range []string{"0s", "-0s", "-1s", "0.1ns", "1e3s", "9999999h", ""} {
		_, faults := advise.Parse("w.cql", strings.TrimRight("-- aml:latency "+text, " ")+query)
		require.Len(t, faults, 1, text)
		require.Equal(t, "w.cql:1:8: the latency \""+text+"\" is not a time: write -- aml:latency 10ms", faults[0].String())
	}
}

// A workload with nothing to compare is refused: its report would call each table unused.
func TestEmptyWorkload(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "-- later\n"} {
		_, faults := advise.Parse("w.cql", text)
		require.Len(t, faults, 1)
		require.Equal(t, "w.cql:1:1: the workload has neither a SELECT nor an aml:write: write the queries as for aml check -queries, with -- aml:rate 500/s above each", faults[0].String())
	}
}

// A method has no operation: Customer.Update add was counted as an addition to each relationship of Customer.
func TestMethodWithAnOperation(t *testing.T) {
	t.Parallel()
	files, err := load.Read(t.Context(), "../../examples/quickstart/shop")
	require.NoError(t, err)
	w, faults := advise.Parse("w.cql", "-- aml:write Customer.Update add 5/s\n-- aml:write Customer.Update rename 5/s\n")
	require.Empty(t, faults)
	_, faults, err = advise.New(files, w, advise.DefaultConfig())
	require.NoError(t, err)
	require.Len(t, faults, 1)
	require.Equal(t, `w.cql:1:8: Customer.Update is a method, which has no operation "add": delete the operation, or name a relationship`, faults[0].String())
}
