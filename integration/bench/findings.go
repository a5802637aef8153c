package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/integration/bench/report"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// findings are the results of -approaches on one node.
type findings struct {
	sizes    []size
	measured []caller.Measurement
	mixed    []caller.MixResult
	killed   []killed
}

// part is the text of a part of docs/study.md that the command writes.
type part struct{ name, text string }

// parts returns the parts of the page.
func (f *findings) parts(l *alternatives.Listing, elements []int) []part {
	weights := fitWeights(l, f.measured)
	advice := fmt.Sprintf("Fitted times, in microseconds: `%s`\n\n%s\n%s", weightsText(weights), fitTable(l, f.measured, weights), adviceTable(l, f, weights))
	return []part{
		{"approaches", approachTables(f.measured, elements)},
		{"approaches-growth", growthText(elements)},
		{"approaches-judgements", sized(l.Elements, judgementTable(l, f.measured))},
		{"approaches-advice", advice},
		{"approaches-mixes", orMissing(len(f.mixed), sized(l.Elements, mixTable(f.mixed, l, weights)))},
		{"approaches-sizes", orMissing(len(f.sizes), sized(l.Elements, sizeTable(f.sizes)))},
		{"approaches-wire", sized(l.Elements, wireTable(f.measured, l.Elements))},
		{"approaches-kills", orMissing(len(f.killed), killTable(f.killed))},
	}
}

// growthText shows the charts of several numbers of elements.
func growthText(elements []int) string {
	if len(elements) < 2 {
		return "Only one number of vehicles was measured.\n"
	}
	text := ""
	for _, x := range [][2]string{{"reads", "The processor time of a read of a root with its elements, by their number"}, {"changes", "The processor time of a change of one element, by their number"}} {
		text += fmt.Sprintf("<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"performance/approaches-%s-dark.svg\">\n"+
			"  <img alt=\"%s\" src=\"performance/approaches-%[1]s.svg\">\n</picture>\n", x[0], x[1])
	}
	return text
}

// orMissing returns a text if there are results, and otherwise that there are none.
func orMissing(results int, text string) string {
	if results == 0 {
		return "Not measured yet.\n"
	}
	return text
}

// sized returns a text with the number of elements of a root before it.
func sized(elements int, text string) string {
	vehicles := "vehicles"
	if elements == 1 {
		vehicles = "vehicle"
	}
	return fmt.Sprintf("With %d %s for each client:\n\n%s", elements, vehicles, text)
}

// publish prints the tables, and writes the files of the flags.
func (s *study) publish(f *findings, stdout io.Writer) error {
	parts := f.parts(s.listing, s.roots)
	if err := s.publishParts(parts, stdout); err != nil || s.out == "" {
		return err
	}
	charts, err := studyCharts(f.measured, s.listing.Elements)
	if err != nil {
		return err
	}
	for name, text := range charts {
		if err := write(s.out, name, text); err != nil {
			return err
		}
	}
	return errors.Join(writeLines(s.out, "approaches.json", f.measured), writeJSON(s.out, "weights.json", fitWeights(s.listing, f.measured)),
		writeLines(s.out, "approachesmixes.json", f.mixed), writeLines(s.out, "approachessizes.json", f.sizes), writeLines(s.out, "approacheskills.json", f.killed))
}

// publishCluster does the same for three nodes.
func (s *study) publishCluster(measured []caller.Measurement, mixed []caller.MixResult, down []caller.Attempts, stdout io.Writer) error {
	if err := s.publishParts(clusterParts(s.listing, measured, mixed, down, s.roots), stdout); err != nil || s.out == "" {
		return err
	}
	return errors.Join(writeLines(s.out, "approachescluster.json", measured), writeLines(s.out, "approachesclustermixes.json", mixed), writeLines(s.out, "approachesdown.json", down))
}

// clusterParts returns the parts of the page about three nodes.
func clusterParts(l *alternatives.Listing, measured []caller.Measurement, mixed []caller.MixResult, down []caller.Attempts, elements []int) []part {
	return []part{
		{"approaches-cluster", orMissing(len(measured), approachTables(measured, elements))},
		{"approaches-cluster-mixes", orMissing(len(mixed), sized(l.Elements, mixTable(mixed, l, advise.DefaultWeights())))},
		{"approaches-down", orMissing(len(down), downTable(down))},
	}
}

// approachTables returns the tables of each number of elements.
func approachTables(measured []caller.Measurement, elements []int) string {
	var b strings.Builder
	for _, n := range elements {
		fmt.Fprintf(&b, "%s\n", sized(n, callsText(measured, n)+approachTable(measured, n)))
	}
	return b.String()
}

// callsText returns a sentence with the number of calls of each operation.
func callsText(measured []caller.Measurement, elements int) string {
	var calls []int
	for _, m := range measured {
		if m.Elements == elements && m.Calls > 0 {
			calls = append(calls, m.Calls)
		}
	}
	if calls == nil {
		return ""
	}
	text := fmt.Sprint(slices.Max(calls))
	if least := slices.Min(calls); least < slices.Max(calls) {
		text = fmt.Sprintf("%d to %s", least, text)
	}
	return fmt.Sprintf("The times in brackets are those of %s calls of each operation.\n\n", text)
}

// publishParts prints parts, and writes them into the page of the flags, the first with the command.
func (s *study) publishParts(parts []part, stdout io.Writer) error {
	for i, p := range parts {
		if _, err := fmt.Fprintf(stdout, "%s: %s\n\n%s\n", p.name, report.ThisMachine(), p.text); err != nil {
			return err
		}
		if s.page == "" {
			continue
		}
		text := p.text
		if i == 0 {
			text = section(s.options, s.flags(), s.machineLoad()+text)
		}
		if err := report.Replace(s.page, p.name, text); err != nil {
			return err
		}
	}
	return nil
}

// machineLoad describes how busy the machine was while the steps ran: with much more than the processors, the spread of the rounds is large.
func (s *study) machineLoad() string {
	if s.config == nil {
		return ""
	}
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return ""
	}
	return fmt.Sprintf("The load average of the machine was %s in the last 15 minutes of the run; this includes the server and the program.\n\n", fields[2])
}

// flags returns the flags of the sizes of a run.
func (s *study) flags() string {
	text := fmt.Sprintf("-approaches -roots %s -calls %d", s.roots.String(), s.calls)
	if s.quick {
		text += " -quick"
	}
	if s.resume != "" {
		text += " -resume FOLDER"
	}
	if s.nodes > 1 {
		text += fmt.Sprintf(" -nodes %d", s.nodes)
	}
	return text
}

// writeLines writes a list as JSON, a line for each element.
func writeLines[T any](dir, name string, list []T) error {
	var b bytes.Buffer
	b.WriteString("[")
	for i, x := range list {
		line, err := json.Marshal(x)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n" + string(line))
	}
	b.WriteString("\n]\n")
	return write(dir, name, b.Bytes())
}

// mixTable returns for each workload the designs with the least processor time, and how much the design that advice names costs in relation to the first.
func mixTable(mixed []caller.MixResult, l *alternatives.Listing, w advise.Weights) string {
	const listed = 5
	var b strings.Builder
	b.WriteString("| workload | design | published | processor time of an operation, µs | median, 99th percentile, ms | operations a second | conflicts | by advice |\n|---|---|---|---:|---:|---:|---:|---:|\n")
	for _, x := range caller.Workloads() {
		found := ofWorkload(mixed, x.Name)
		slices.SortStableFunc(found, func(a, b caller.MixResult) int { return cmp.Compare(a.Processor(), b.Processor()) })
		advised := adviseMix(found, l, x, w)
		for i, m := range found {
			if i >= listed && published[m.Design] == "" && !slices.Contains(advised, m.Design) {
				continue
			}
			mark := ""
			if slices.Contains(advised, m.Design) {
				mark = "cheapest"
			}
			name := ""
			if i == 0 {
				name = x.Name + ": " + x.Text
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %.1f, %.1f | %.0f | %d | %s |\n", name, m.Design, published[m.Design], timeText(m.Processor(), m.Rounds),
				m.P50/1000, m.P99/1000, m.PerSecond, m.Conflicts, mark)
		}
	}
	return b.String()
}
