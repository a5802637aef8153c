// Command aml derives tables and a typed store from Go structs, and keeps both consistent with the structs.
//
//	aml generate         write aml_gen.go and schema.cql; -schema writes schema.cql only
//	aml check            report the errors and warnings of a model, and write nothing
//	aml vet              report faults of models, and of CQL in packages that import a store
//	aml diff NAME        write the next migration; -check reports whether one is missing
//	aml diff -from live  print the differences between a live keyspace and the model
//	aml migrate new      write an empty migration
//	aml migrate sum      update aml.sum after a migration was written by hand
//	aml migrate lint     report the effects of the migrations on data and on running programs
//	aml migrate verify   apply the folder on a Cassandra and compare the result with the model
//	aml migrate status   print which migrations a keyspace has applied
//	aml migrate up       apply the pending ones
//	aml inspect          print a live keyspace as CQL
//	aml import           write the model of a live keyspace
//	aml estimate         estimate the size of a partition of every table
//	aml explain          print the requests and the cost of each operation of the store
//	aml alternatives     list the designs of a relationship, with the costs of its operations
//	aml advise           order the designs of each relationship by their cost for a workload
//	aml diagram          draw the aggregates or the tables of the model
//	aml docs             write a site that describes the model
//	aml reconcile        find and repair rows of redundant tables that differ from their roots
//	aml fanout           let copies of fields follow the fields of other roots
//	aml dev              run a Cassandra on this machine until Ctrl-C
//	aml version          print the version of aml and of Go
//	aml completion       print the completion script of a shell
//
// A service adds it as a tool and calls it from go generate:
//
//	go get -tool github.com/cassaml/cassaml/codegen/cmd/aml
//
//	package shop
//
//	//go:generate go tool aml generate
//
// Errors of the model are printed one per line, as file:line:col: CODE: the error; the fix. All of them are
// printed in one run, the exit code is 1 and no file is changed. After a signal the exit code is 128 plus the number of the
// signal.
//
// docs/command.md describes the options, the exit codes and the JSON that -json writes.
package main
