// Package reaper is the Cassandra storage of Reaper, which repairs Cassandra clusters, as AML.
//
// The tables are those of thelastpickle/cassandra-reaper, commit 8a4cf83df173911d965dc50f60924c01aa860d1c, file
// src/server/src/main/resources/db/cassandra/034_init_reaper_db.cql, without the two of its migration library. The
// derivation of tables from others is that of the classes in src/server/src/main/java/io/cassandrareaper/storage.
//
// All derived tables are declared. Differences: a schedule has its unit's cluster and keyspace as a copy, which needs a version and
// reserved columns in both; the index of the states of runs is a storage-attached one. The time buckets of three tables are computed
// from their rows by the service.
package reaper

//go:generate go tool aml generate -schema

import (
	"math/big"
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Cluster is a cluster under repair.
type Cluster struct {
	aml.Aggregate `aml:"cluster,with='compaction = {''class'': ''LeveledCompactionStrategy''} AND caching = {''keys'': ''ALL'', ''rows_per_partition'': ''ALL''}'"`

	Name        string    `aml:"name,identifier"`
	LastContact time.Time `aml:"last_contact"`
	Namespace   string    `aml:"namespace"`
	Partitioner string    `aml:"partitioner"`
	Properties  string    `aml:"properties"` // JSON
	State       string    `aml:"state"`
	SeedHosts   []string  `aml:"seed_hosts,unique"`
}

// RepairUnit is the scope of a repair: some tables of one keyspace of one cluster.
type RepairUnit struct {
	aml.Aggregate `aml:"repair_unit_v1,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ID                  gocql.UUID `aml:"id,identifier,type=timeuuid"`
	ClusterName         string     `aml:"cluster_name,required"`
	KeyspaceName        string     `aml:"keyspace_name,required"`
	IncrementalRepair   bool       `aml:"incremental_repair"`
	SubrangeIncremental bool       `aml:"subrange_incremental"`
	RepairThreadCount   int32      `aml:"repair_thread_count"`
	Timeout             *int32     `aml:"timeout"`
	BlacklistedTables   []string   `aml:"blacklisted_tables,unique"`
	ColumnFamilies      []string   `aml:"column_families,unique"`
	Datacenters         []string   `aml:"datacenters,unique"`
	Nodes               []string   `aml:"nodes,unique"`
	Version             int64      `aml:"version,version"`
}

// RepairRun is one run of a repair: the header of a partition whose rows are its segments.
type RepairRun struct {
	aml.Aggregate `aml:"repair_run,with='compaction = {''class'': ''LeveledCompactionStrategy''} AND caching = {''keys'': ''ALL'', ''rows_per_partition'': ''5000''}'"`

	ID                gocql.UUID `aml:"id,identifier,type=timeuuid"`
	ClusterName       string     `aml:"cluster_name,required"`
	RepairUnitID      gocql.UUID `aml:"repair_unit_id,required,type=timeuuid,association=RepairUnit"`
	State             string     `aml:"state,required"`
	Cause             string     `aml:"cause"`
	Owner             string     `aml:"owner"`
	CreationTime      time.Time  `aml:"creation_time"`
	StartTime         time.Time  `aml:"start_time"`
	PauseTime         time.Time  `aml:"pause_time"`
	EndTime           time.Time  `aml:"end_time"`
	Intensity         float64    `aml:"intensity"`
	LastEvent         string     `aml:"last_event"`
	SegmentCount      int32      `aml:"segment_count"`
	RepairParallelism string     `aml:"repair_parallelism"`
	Tables            []string   `aml:"tables,unique"`
	AdaptiveSchedule  bool       `aml:"adaptive_schedule"`
}

// RepairSegment is a range of tokens that a run repairs in one step: a row in the partition of its run.
type RepairSegment struct {
	aml.Entity `aml:"repair_run,part=RepairRun,rows=5000"`

	RunID           gocql.UUID        `aml:"id,identifier,type=timeuuid"`
	ID              gocql.UUID        `aml:"segment_id,discriminator,type=timeuuid"`
	CoordinatorHost *string           `aml:"coordinator_host"`
	StartToken      *big.Int          `aml:"start_token"`
	EndToken        *big.Int          `aml:"end_token"`
	FailCount       int32             `aml:"fail_count"`
	HostID          *gocql.UUID       `aml:"host_id"`
	Replicas        map[string]string `aml:"replicas,final"`
	State           int32             `aml:"segment_state"`
	StartTime       time.Time         `aml:"segment_start_time"`
	EndTime         time.Time         `aml:"segment_end_time"`
	TokenRanges     *string           `aml:"token_ranges"` // JSON
}

// RunByCluster lists the runs of a cluster, newest first, with their states.
type RunByCluster struct {
	aml.Aggregate `aml:"repair_run_by_cluster_v2,redundant=RepairRun,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ClusterName string     `aml:"cluster_name,identifier"`
	ID          gocql.UUID `aml:"id,discriminator,desc,type=timeuuid"`
	State       string     `aml:"repair_run_state,index"`
}

// RunByClusterV1 lists the runs of a cluster: the table that RunByCluster replaces.
type RunByClusterV1 struct {
	aml.Aggregate `aml:"repair_run_by_cluster,redundant=RepairRun,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ClusterName string     `aml:"cluster_name,identifier"`
	ID          gocql.UUID `aml:"id,discriminator,type=timeuuid"`
}

// RunByUnit lists the runs of a repair unit.
type RunByUnit struct {
	aml.Aggregate `aml:"repair_run_by_unit,redundant=RepairRun,with='compaction = {''class'': ''LeveledCompactionStrategy''} AND caching = {''keys'': ''ALL'', ''rows_per_partition'': ''ALL''}'"`

	RepairUnitID gocql.UUID `aml:"repair_unit_id,identifier,type=timeuuid"`
	ID           gocql.UUID `aml:"id,discriminator,type=timeuuid"`
}

// RepairSchedule repeats the repair of a unit. It keeps the unit's cluster and keyspace, by which it is found.
type RepairSchedule struct {
	aml.Aggregate `aml:"repair_schedule_v1,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ID                         gocql.UUID   `aml:"id,identifier,type=timeuuid"`
	RepairUnitID               gocql.UUID   `aml:"repair_unit_id,required,type=timeuuid,association=RepairUnit"`
	ClusterName                string       `aml:"cluster_name,copy=RepairUnit.ClusterName"`
	KeyspaceName               string       `aml:"keyspace_name,copy=RepairUnit.KeyspaceName"`
	State                      string       `aml:"state"`
	Adaptive                   bool         `aml:"adaptive"`
	CreationTime               time.Time    `aml:"creation_time"`
	DaysBetween                int32        `aml:"days_between"`
	Intensity                  float64      `aml:"intensity"`
	LastRun                    *gocql.UUID  `aml:"last_run,type=timeuuid"`
	NextActivation             time.Time    `aml:"next_activation"`
	Owner                      string       `aml:"owner"`
	PauseTime                  time.Time    `aml:"pause_time"`
	PercentUnrepairedThreshold *int32       `aml:"percent_unrepaired_threshold"`
	RepairParallelism          string       `aml:"repair_parallelism"`
	SegmentCount               *int32       `aml:"segment_count"`
	SegmentCountPerNode        int32        `aml:"segment_count_per_node"`
	RunHistory                 []gocql.UUID `aml:"run_history,unique,type=timeuuid"`
	Version                    int64        `aml:"version,version"`
}

// anywhere means every cluster or every keyspace.
const anywhere = " "

// Place is a cluster and a keyspace under which a schedule is found; either may be anywhere.
type Place struct {
	ClusterName  string
	KeyspaceName string
}

// Places are the three places under which the schedule is found.
func (s RepairSchedule) Places() []Place {
	return []Place{{s.ClusterName, s.KeyspaceName}, {s.ClusterName, anywhere}, {anywhere, s.KeyspaceName}}
}

// ScheduleByPlace lists the schedules of a keyspace of a cluster, of a whole cluster, or of a keyspace in any cluster.
type ScheduleByPlace struct {
	aml.Aggregate `aml:"repair_schedule_by_cluster_and_keyspace,redundant=RepairSchedule.Places(),with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ClusterName  string     `aml:"cluster_name,identifier"`
	KeyspaceName string     `aml:"keyspace_name,identifier"`
	ScheduleID   gocql.UUID `aml:"repair_schedule_id,discriminator,type=timeuuid,from=RepairSchedule.ID"`
}

// PercentRepaired is the repaired percentage of a table on a node, kept for an hour. TimeBucket is the time in steps of ten
// minutes.
type PercentRepaired struct {
	aml.Aggregate `aml:"percent_repaired_by_schedule,ttl=3600,gc_grace=300,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ClusterName     string     `aml:"cluster_name,identifier"`
	ScheduleID      gocql.UUID `aml:"repair_schedule_id,identifier"`
	TimeBucket      string     `aml:"time_bucket,identifier"`
	Node            string     `aml:"node,discriminator"`
	KeyspaceName    string     `aml:"keyspace_name"`
	TableName       string     `aml:"table_name"`
	PercentRepaired int32      `aml:"percent_repaired"`
	Time            time.Time  `aml:"ts"`
}

// NodeMetric is one metric of one node, kept for an hour. TimeBucket is Time in steps of ten minutes.
type NodeMetric struct {
	aml.Aggregate `aml:"node_metrics_v3,ttl=3600,gc_grace=300,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''10'', ''compaction_window_unit'': ''MINUTES'', ''unchecked_tombstone_compaction'': ''true''}'"`

	Cluster    string    `aml:"cluster,identifier"`
	Domain     string    `aml:"metric_domain,identifier"`
	Type       string    `aml:"metric_type,identifier"`
	TimeBucket string    `aml:"time_bucket,identifier"`
	Host       string    `aml:"host,identifier"`
	Time       time.Time `aml:"ts,discriminator,desc"`
	Scope      string    `aml:"metric_scope,discriminator"`
	Name       string    `aml:"metric_name,discriminator"`
	Attribute  string    `aml:"metric_attribute,discriminator"`
	Value      float64   `aml:"value"`
}

// NodeLoad is the load of a node at the request of a run, kept for three minutes.
type NodeLoad struct {
	aml.Aggregate `aml:"node_metrics_v1,ttl=180,gc_grace=120,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''2'', ''compaction_window_unit'': ''MINUTES'', ''unchecked_tombstone_compaction'': ''true''}'"`

	RunID                 gocql.UUID `aml:"run_id,identifier"`
	TimePartition         int64      `aml:"time_partition,identifier"`
	Node                  string     `aml:"node,discriminator"`
	ActiveAnticompactions int32      `aml:"active_anticompactions"`
	Cluster               string     `aml:"cluster"`
	Datacenter            string     `aml:"datacenter"`
	HasRepairRunning      bool       `aml:"has_repair_running"`
	PendingCompactions    int32      `aml:"pending_compactions"`
	Requested             bool       `aml:"requested"`
}

// NodeOperation has the operations that run on a node, kept for five minutes. TimeBucket is Time in minutes.
type NodeOperation struct {
	aml.Aggregate `aml:"node_operations,ttl=300,gc_grace=300,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''30'', ''compaction_window_unit'': ''MINUTES'', ''unchecked_tombstone_compaction'': ''true''}'"`

	Cluster    string    `aml:"cluster,identifier"`
	Type       string    `aml:"'type',identifier"`
	TimeBucket string    `aml:"time_bucket,identifier"`
	Host       string    `aml:"host,discriminator"`
	Data       string    `aml:"data"` // JSON
	Time       time.Time `aml:"ts"`
}

// RunningReaper is a process of Reaper that has sent a heartbeat in the last three minutes.
type RunningReaper struct {
	aml.Aggregate `aml:"running_reapers,ttl=180,gc_grace=180,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ID            gocql.UUID `aml:"reaper_instance_id,identifier"`
	Host          string     `aml:"reaper_instance_host"`
	LastHeartbeat time.Time  `aml:"last_heartbeat"`
}

// Leader is the process that has the lease of a segment or a task.
type Leader struct {
	aml.Aggregate `aml:"leader,ttl=600,gc_grace=600,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ID            gocql.UUID `aml:"leader_id,identifier,type=timeuuid"`
	Host          string     `aml:"reaper_instance_host"`
	InstanceID    gocql.UUID `aml:"reaper_instance_id"`
	LastHeartbeat time.Time  `aml:"last_heartbeat"`
}

// RunningRepair is the process that repairs a segment on a node, so that a node repairs one segment of a run at a time.
type RunningRepair struct {
	aml.Aggregate `aml:"running_repairs,ttl=300,gc_grace=300,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	RepairID   gocql.UUID  `aml:"repair_id,identifier"`
	Node       string      `aml:"node,discriminator"`
	Host       *string     `aml:"reaper_instance_host"`
	InstanceID *gocql.UUID `aml:"reaper_instance_id"`
	SegmentID  *gocql.UUID `aml:"segment_id"`
}

// Snapshot is a snapshot taken of a cluster.
type Snapshot struct {
	aml.Aggregate `aml:"snapshot,with='compaction = {''class'': ''LeveledCompactionStrategy''} AND caching = {''keys'': ''ALL'', ''rows_per_partition'': ''ALL''}'"`

	Cluster      string    `aml:"cluster,identifier"`
	Name         string    `aml:"snapshot_name,identifier"`
	Cause        string    `aml:"cause"`
	CreationTime time.Time `aml:"creation_time"`
	Owner        string    `aml:"owner"`
}

// Subscription is a subscription to the diagnostic events of some nodes.
type Subscription struct {
	aml.Aggregate `aml:"diagnostic_event_subscription,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	ID                 gocql.UUID `aml:"id,identifier"`
	Cluster            string     `aml:"cluster"`
	Description        string     `aml:"description"`
	ExportFileLogger   *string    `aml:"export_file_logger"`
	ExportHTTPEndpoint *string    `aml:"export_http_endpoint"`
	ExportSSE          bool       `aml:"export_sse"`
	Events             []string   `aml:"events,unique"`
	Nodes              []string   `aml:"nodes,unique"`
}
