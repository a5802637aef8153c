package aml

type Aggregate struct{}
