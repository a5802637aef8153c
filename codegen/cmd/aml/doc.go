// Command aml derives tables and a typed store from Go structs, and keeps the two in step.
//
//	aml generate         write aml_gen.go and schema.cql beside the model; -schema writes the schema alone
//	aml check            report what is wrong with the model, and write nothing
//	aml diff NAME        write the migration that leads to the model; -check says whether there is one to write
//	aml diff -from live  say in what a live keyspace differs from the model
//	aml migrate new      write the next migration without statements
//	aml migrate sum      write aml.sum anew after a migration was written by hand
//	aml migrate lint     name what the migrations do to data and to programs that are still running
//	aml migrate verify   replay the folder on a Cassandra and compare what results with the model
//	aml migrate status   say which migrations a keyspace has applied
//	aml migrate up       apply the pending ones
//	aml inspect          print a live keyspace as CQL
//	aml import           write the model of a live keyspace
//	aml estimate         estimate the size of a partition of every table
//	aml explain          say what each operation of the store sends, and what it costs
//	aml dev              run a Cassandra on this machine until Ctrl-C
//	aml version          print the version of aml and of Go
//	aml completion       print the completion script of a shell
//
// A service adds it as a tool and calls it by go generate:
//
//	go get -tool github.com/cassaml/cassaml/codegen/cmd/aml
//
//	package shop
//
//	//go:generate go tool aml generate
//
// Faults of the model are printed one a line, as file:line:col: CODE: what is wrong; how to fix it. All of them are
// printed in one run, the exit code is 1 and no file is touched. After a signal the exit code is 128 and the number of the signal.
//
// docs/command.md describes the options, the exit codes and the JSON that -json writes.
package main
