// Package repair has roots with copies of fields of other roots that never change: with a version and without, of targets with a version and without.
package repair

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Cluster is a target with a version. A deleted cluster leaves a row.
type Cluster struct {
	aml.Aggregate `aml:"clusters"`

	Name    string `aml:"name,identifier"`
	Region  string `aml:"region,final,required"`
	Note    string `aml:"note"`
	Version int64  `aml:"version,version"`
}

// Unit is a target without a version, with a key of several fields.
type Unit struct {
	aml.Aggregate `aml:"units"`

	Cluster  string  `aml:"cluster,identifier"`
	Number   int32   `aml:"number,discriminator"`
	Keyspace string  `aml:"keyspace,final,required"`
	Threads  int32   `aml:"threads,final"`
	Owner    *string `aml:"owner,final"`
}

// Schedule has no version, and a redundant table that is keyed by a copied field.
type Schedule struct {
	aml.Aggregate `aml:"schedules"`

	ID       int32   `aml:"id,identifier"`
	Cluster  string  `aml:"cluster,association=Unit.Cluster"`
	Unit     int32   `aml:"unit,association=Unit.Number"`
	Keyspace string  `aml:"keyspace,copy=Unit.Keyspace,required"`
	Owner    *string `aml:"owner,copy=Unit.Owner"`
	State    string  `aml:"state"`
	Backup   *string `aml:"backup,association=Cluster"`
	Region   *string `aml:"region,copy=Cluster.Region"`
}

// ScheduleByKeyspace finds schedules by a copied field.
//
//aml:ignore AML902 one writer at a time changes a schedule
type ScheduleByKeyspace struct {
	aml.Aggregate `aml:"schedules_by_keyspace,redundant=Schedule"`

	Keyspace string `aml:"keyspace,identifier"`
	ID       int32  `aml:"id,discriminator"`
	State    string `aml:"state"`
}

// Segment has no version and no redundant table.
type Segment struct {
	aml.Aggregate `aml:"segments"`

	Run     int32  `aml:"run,identifier"`
	Number  int32  `aml:"number,discriminator"`
	Cluster string `aml:"cluster,association=Cluster"`
	Region  string `aml:"region,copy=Cluster.Region,required"`
	Host    string `aml:"host"`
}

// Run has a version.
type Run struct {
	aml.Aggregate `aml:"runs"`

	ID      int32  `aml:"id,identifier"`
	Cluster string `aml:"cluster,association=Unit.Cluster"`
	Unit    int32  `aml:"unit,association=Unit.Number"`
	Threads int32  `aml:"threads,copy=Unit.Threads"`
	Main    string `aml:"main,association=Cluster"`
	Region  string `aml:"region,copy=Cluster.Region,required"`
	State   string `aml:"state"`
	Version int64  `aml:"version,version"`
}

// RunByRegion finds runs by a copied field.
type RunByRegion struct {
	aml.Aggregate `aml:"runs_by_region,redundant=Run"`

	Region string `aml:"region,identifier"`
	ID     int32  `aml:"id,discriminator"`
	State  string `aml:"state"`
}
