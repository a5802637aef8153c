// Package account is the model of the versioned aggregates that package bench measures: a row of eleven columns, with a UDT and a
// list of UDTs. An account has two copies, a member has a unique email.
//
//	package main
//
//	import (
//		"context"
//		"log"
//
//		"github.com/cassaml/cassaml/integration/bench/account"
//		"github.com/cassaml/cassaml/mapper/memory"
//	)
//
//	func main() {
//		ctx := context.Background()
//		store, err := account.OpenBackend(ctx, memory.New(memory.Config{}))
//		if err != nil {
//			log.Fatal(err)
//		}
//		if err := store.Accounts.Insert(ctx, account.Sample()); err != nil {
//			log.Fatal(err)
//		}
//	}
package account
