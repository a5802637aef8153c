package indexname

import "strings"

// What [Class] calls the classes that have several names: the storage-attached indexes, and those that have no class of their
// own, which USING calls so.
const (
	SAI    = "sai"
	Legacy = "legacy_local_table"
)

// Attached is the whole name of the class of storage-attached indexes.
const Attached = "org.apache.cassandra.index.sai.StorageAttachedIndex"

// Class is one name for a class of indexes: org.apache.cassandra.index.sai.StorageAttachedIndex => sai, and without its package
// for any other, org.apache.cassandra.index.sasi.SASIIndex => SASIIndex.
func Class(written string) string {
	switch strings.ToLower(written) {
	case SAI, "storageattachedindex", strings.ToLower(Attached):
		return SAI
	case Legacy:
		return Legacy
	}
	return written[strings.LastIndexByte(written, '.')+1:]
}
