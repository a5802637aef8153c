// Package gen has the types of queries.
package gen

type Query[T any] struct{ q int }

func (q Query[T]) All() []*T          { return nil }
func (q Query[T]) Limit(int) Query[T] { return q }

type Rows[T any] struct{ Query[T] }

func (r Rows[T]) Delete() error { return nil }

type PartRows[P any] struct{ r int }

func (r PartRows[P]) Delete() {}
