// Package migrationfolder reads the folder of the migrations of a command line, and the folders of other packages in the same keyspace.
package migrationfolder
