// Command bench measures the mapper beside its peers, all in one run, so that the ratios hold on any machine:
//
//	go run ./integration/bench -codec
//
// needs no server: what lies between structs and the bytes of the driver. Package codec says exactly what each figure
// includes. It takes less than a minute and prints one table; on standard error it counts the rounds.
//
// With -out DIR it also writes codec.json (a list of {work, variant, ns, allocs, bytes, spread}), codec.svg (a chart of the
// ratios) and codec.txt (a line for each round, for benchstat). With -page FILE it puts the table into a page in Markdown. The
// figures that the project publishes are made by
//
//	go run ./integration/bench -codec -out docs/performance -page docs/performance.md
//	go run ./integration/bench -node -out docs/performance -page docs/performance.md
//
//	go run ./integration/bench -node
//
// needs a server: the one that CASSANDRA_HOSTS names (host:port,…), or one that it starts and stops. Package node says what is
// measured there. It takes about two minutes, in a keyspace of its own that it drops, and writes node.json (a list of {work,
// variant, inflight, cpu_ns, allocs, round_trips, p50_ns, p99_ns, ops_s, spread}) and the page's table likewise.
//
// The spread of a figure is half of what lies between the 10th and the 90th percentile of the rounds, as a share of their
// median, which the figure is. In a round, short slices of all variants follow one another in random order; without a server the
// fastest slice of a variant counts. cassaml-again is cassaml a second time,
// and the two differ by noise alone.
package main
