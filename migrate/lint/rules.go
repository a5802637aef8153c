package lint

// Rule is one thing that lint names. Codes never change their meaning and are never used again.
type Rule struct {
	Code  string
	Title string
	Why   string // what it does to data, or to programs that are still running
	Fix   string
}

// The rules.
var (
	DropTable  = Rule{"MIG101", "a table or keyspace that is dropped", "its rows are lost, and an older program that still uses it fails", "drop it in a release after the last that uses it"}
	DropColumn = Rule{"MIG102", "a column that is dropped", "what is stored in it is lost, and an older program that still uses it fails", "drop it in a release after the last that uses it"}
	DeleteData = Rule{"MIG103", "data that is deleted", "what is stored there is lost", "be sure that no program needs it"}
	DropIndex  = Rule{"MIG104", "an index that is dropped", "an older program that still reads by it fails", "drop it in a release after the last that reads by it"}
	RenameName = Rule{"MIG105", "a column or field that is renamed", "an older program knows the earlier name, and fails", "stop the older programs first, or keep the name"}
	GrowFrozen = Rule{"MIG106", "a field added to a type that is stored frozen", "an older program that writes a whole value again leaves the field out", "let no program write the field before all of them know it"}
	Expiry     = Rule{"MIG107", "rows that expire, or expire sooner", "what is written is gone after that time, and where the table says so also what an older program writes", "be sure that it is meant for all that is written so"}
	BatchGrace = Rule{"MIG108", "gc_grace_seconds below 3600", "a logged batch that is older is never replayed, so that one half of a write can be missing for good", "give it an hour or more where logged batches write"}
	HintGrace  = Rule{"MIG109", "gc_grace_seconds below 10800", "a node that is down for up to three hours gets no hints that are older, and what was deleted meanwhile can come back", "give it three hours or more, or repair within that time"}
	Readded    = Rule{"MIG110", "a column that comes back", "a write with a timestamp before the drop reads null", "give the column another name"}
	Elsewhere  = Rule{"MIG111", "a statement on another keyspace", "it changes the same keyspace for every tenant and test, and aml diff does not see it", "name no keyspace: the session has one"}
	LooseField = Rule{"MIG112", "a collection that is not frozen, in a type that is not", "the server accepts it here and refuses the same by CREATE", "write frozen<…>"}
	Repeated   = Rule{"MIG113", "data that is not the same when it is written twice", "a run that dies behind the statement is followed by one that may send it again", "write fixed values, or call a function by -- aml:func"}
	Unseen     = Rule{"MIG114", "IF NOT EXISTS of what is there in another shape", "the server says nothing and changes nothing", "write ALTER, or another name"}
	BadAllow   = Rule{"MIG115", "an aml:allow without a code or a reason", "later the reason is unknown", "write -- aml:allow CODE and the reason"}
	IdleAllow  = Rule{"MIG116", "an aml:allow that allows nothing", "it would hide what comes there later", "delete it, or put it directly before its statement"}
	NoSuchFill = Rule{"MIG117", "an aml:backfill of a table that is not there", "nothing is filled, and status shows it as skipped", "write the name as the server knows it"}
	Misspelt   = Rule{"MIG118", "a comment that reads like a directive and is none", "what it asks for is not done, and as long as the file is pending it is refused", "write the directive as it is said, or begin the comment with another word"}
	Ahead      = Rule{"MIG119", "data with a timestamp that is still to come", "until that time no other write to the same cells has an effect, nor does what deletes them", "write microseconds since 1970 that have passed, or leave the timestamp out"}
	NoSuchHand = Rule{"MIG120", "an aml:manual of what is not there", "aml diff still plans to drop what is meant", "write the name as the server knows it, without quotes, a keyspace or a semicolon, in the file that creates it or a later one"}
)

// Rules lists the rules in the order of their codes.
func Rules() []Rule {
	return []Rule{
		DropTable, DropColumn, DeleteData, DropIndex, RenameName, GrowFrozen, Expiry, BatchGrace, HintGrace, Readded, Elsewhere,
		LooseField, Repeated, Unseen, BadAllow, IdleAllow, NoSuchFill, Misspelt, Ahead, NoSuchHand,
	}
}
