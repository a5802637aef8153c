// Command bench measures the mapper and its peers in one run, so that the ratios hold on any machine:
//
//	go run ./integration/bench -codec
//
// measures the code between structs and the bytes of the driver, without a server. Package codec describes exactly what each
// figure includes. It takes less than a minute and prints one table; it prints the number of the round on standard error.
//
// With -out FOLDER it also writes codec.json (a list of {work, variant, ns, allocs, bytes, spread}), codec.svg (a chart of the
// ratios) and codec.txt (a line for each round, for benchstat). With -page FILE it writes the table into a page in Markdown. The
// published figures are made by
//
//	go run ./integration/bench -codec -out docs/performance -page docs/performance.md
//	go run ./integration/bench -node -out docs/performance -page docs/performance.md
//	go run ./integration/bench -versioned -out docs/performance -page docs/performance.md
//	go run ./integration/bench -versioned -nodes 3 -out docs/performance -page docs/performance.md
//	go run ./integration/bench -parts -out docs/performance -page docs/performance.md
//	go run ./integration/bench -parts -nodes 3 -out docs/performance -page docs/performance.md
//	go run ./integration/bench -scan -rows 1000000 -out docs/performance -page docs/performance.md
//	go run ./integration/bench -queue -out docs/performance -page docs/parts.md
//
//	go run ./integration/bench -node
//
// needs a server: the one in CASSANDRA_HOSTS (host:port,…), or one that it starts and stops. Package node describes what is
// measured. It takes about two minutes, in a separate keyspace that it drops, and also writes node.json (a list of {work,
// variant, inflight, cpu_ns, allocs, bytes, round_trips, p50_ns, p99_ns, ops_s, spread}) and the table of the page. -versioned does the
// same with versioned aggregates, and writes versioned.json. With -nodes 3 it starts three nodes on this machine, which each have a
// replica of every row, even if CASSANDRA_HOSTS is set, and writes cluster.json.
//
//	go run ./integration/bench -reconcile
//
// measures runs of Reconcile against a server, which package reconciling describes, and writes reconcile.json.
//
//	go run ./integration/bench -parts
//
// measures the cost of a round of a game while the game grows, which package growth describes, and writes parts.json (a list of
// {variant, rounds, read_ms, write_ms, seconds}), parts.svg and parts-dark.svg; with -nodes 3 partscluster.json and its charts.
//
//	go run ./integration/bench -scan -rows 1000000
//
// measures scans of a whole table, by eight goroutines, beside reads of pages by eight goroutines. An operation is 100 rows. It prints
// the largest heap of a scan, and writes scan.json, as node.json.
//
//	go run ./integration/bench -queue
//
// measures reads and saves of a queue through which 1,000,000 tasks have gone, which package backlog describes. The files of the server must
// be on this machine. It takes half an hour, and writes queue.json (a list of {variant, tasks, get_ns, empty_get_ns, update_ns,
// empty_update_ns}).
//
//	go run ./integration/bench -references
//
// measures inserts of a root with a checked reference beside hand-written statements of the same protocol, one and 16 at a time, and 100 at a time that
// refer to one target. It writes references.json, as node.json.
//
//	go run ./integration/bench -fanout -holders 20000
//
// measures a fan-out of a change of one root to all roots that have a copy of its field, by one store and by four (-stores), beside hand-written
// statements of the same protocol. It prints the largest live heap, and writes fanout.json (a list of {holders, stores, per_second, hand_per_second, ratio,
// heap_bytes, early_bytes}); from 200,000 roots on it writes fanoutlarge.json, and with -nodes 3 fanoutcluster.json.
//
//	go run ./integration/bench -approaches -out docs/performance -page docs/study.md
//
// compiles the stores of all designs that aml alternatives lists for clients and vehicles, and measures each operation of each, mixes of operations, the
// sizes of the files, and the rows that killed processes leave. It writes approaches.json (a list of alternatives.Measurement), weights.json, which aml
// advise -weights reads, approachesmixes.json, approachessizes.json, approacheskills.json and the charts. -nodes 3 measures the operations and
// the mixes on three nodes, and then which operations succeed with one and two of them down, and writes approachescluster.json,
// approachesclustermixes.json and approachesdown.json. -quick measures a few designs. With
// -resume FOLDER, a run that was stopped continues when it is started again. A processor time is the least of all rounds.
//
//	go run ./integration/bench -peers
//
// measures the generated stores of the published designs beside the stores of package byhand, and writes peers.json, in the form of
// approaches.json.
//
// A figure is the median of the rounds. Its spread is half the difference of the 10th and the 90th percentile, divided by
// the median. In a round, short slices of all variants follow one another in random order; without a server the
// fastest slice of a variant is used. cassaml-again is cassaml a second time: the two differ only by noise.
package main
