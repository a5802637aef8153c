package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocql/gocql"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/cassaml/cassaml/integration/bench/growth"
	"github.com/cassaml/cassaml/integration/bench/report"
)

// measureParts implements -parts.
func measureParts(ctx context.Context, o options, rounds int, stdout, stderr io.Writer) error {
	config := growth.Config{Rounds: rounds, Games: (o.rounds + fewerRounds - 1) / fewerRounds, Progress: stderr}
	results, err := onNodes(ctx, o.nodes, stderr, func(cluster *gocql.ClusterConfig) ([]growth.Result, error) {
		return growth.Run(ctx, cluster, config)
	})
	if err != nil {
		return err
	}
	return publishParts(o, results, stdout)
}

// publishParts prints the table, and writes the files of the flags.
func publishParts(o options, results []growth.Result, stdout io.Writer) error {
	name, flags, title := "parts", "-parts", "A round of 1,750 bytes, one node"
	if o.nodes > 1 {
		name, flags, title = "partscluster", fmt.Sprintf("-parts -nodes %d", o.nodes), fmt.Sprintf("A round of 1,750 bytes, %d nodes, LOCAL_QUORUM", o.nodes)
	}
	table := growth.Table(results)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		for suffix, t := range themes {
			p, err := t.rounds(title, results)
			if err != nil {
				return err
			}
			chart, err := t.draw(p)
			if err = errors.Join(err, write(o.out, name+suffix+".svg", chart)); err != nil {
				return err
			}
		}
		if err := writeJSON(o.out, name+".json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, name, section(o, flags, table))
	}
	return nil
}

// rounds draws two lines for each variant over the length of the game: the writes, and, dashed, the reads.
func (t theme) rounds(title string, results []growth.Result) (*plot.Plot, error) {
	p := t.newPlot(title)
	p.X.Label.Text, p.Y.Label.Text = "rounds of the game", "milliseconds"
	for i, name := range growth.Variants() {
		var reads, writes plotter.XYs
		for _, r := range results {
			if r.Variant == name {
				reads, writes = append(reads, plotter.XY{X: float64(r.Rounds), Y: r.Read}), append(writes, plotter.XY{X: float64(r.Rounds), Y: r.Write})
			}
		}
		for _, x := range []struct {
			name   string
			points plotter.XYs
			dashes []vg.Length
		}{{name + ", write", writes, nil}, {name + ", read", reads, []vg.Length{vg.Points(4), vg.Points(3)}}} {
			line, dots, err := plotter.NewLinePoints(x.points)
			if err != nil {
				return nil, err
			}
			line.Color, dots.Color, line.Width, line.Dashes = t.designs[2*i], t.designs[2*i], vg.Millimeter/2, x.dashes
			p.Add(line, dots)
			p.Legend.Add(x.name, line, dots)
		}
	}
	var lengths []int
	for n := growth.Window; n <= int(p.X.Max); n += growth.Window {
		lengths = append(lengths, n)
	}
	p.X.Tick.Marker = ticks(lengths)
	p.X.Max += legendShare * (p.X.Max - p.X.Min)
	return p, nil
}
