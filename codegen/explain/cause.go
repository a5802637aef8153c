package explain

// Cause is when a request is sent that has a condition. The condition is a text, too.
type Cause int

// The causes.
const (
	NoCause        Cause = iota // always
	WrittenRows                 // there are rows to write
	EachPage                    // once for each page of rows that a call reads
	EachKey                     // once for each key, or each value, of a call with several
	WithToken                   // the query begins with a token
	EmptyPage                   // the page has no rows
	PartRow                     // once for each row of the part that the function of an Update reads
	WrittenPartRow              // once for each row of the part that it reads, puts, changes or deletes
	PartRange                   // once for each page of a range of rows of the part that it deletes
	PendingRows                 // rows of copies can be pending
	ExistingRow                 // the insert is refused, because there is a row
	DeletedRow                  // the row is deleted
	LaterWrite                  // the row has been written at a later time than an import
	NewValues                   // a Change has new unique values
	ContestedValue              // another call has, or has had, the new unique value
	ReleasedValue               // the new unique value was released
	KeptValue                   // the unique value stays
	AddsReferences              // the save adds references
	AddedTarget                 // a read for each root to which an added reference refers
	FollowedTarget              // a read for each root whose fields the row follows
	CopiedTarget                // a read for each root whose fields the row copies once
	FollowedChange              // Request.Fields, which other roots follow, change
	KeptReferences              // the row is inserted, and roots can still refer to its key
	Follower                    // a request for each root that follows the row
	ReferringRows               // a read of the references to the row that is deleted, for each bucket
	Referring                   // a request for each root that refers to the row that is deleted
)

// Verb is the first word of a statement.
type Verb int

// The verbs.
const (
	Selects Verb = iota
	Inserts
	Updates
	Deletes
)

// Case is for which rows a statement of several is sent.
type Case int

// The cases.
const (
	AnyRow      Case = iota // any row, or one that only the text describes
	StayingRow              // a row that exists before and after the write
	PutRow                  // a row of the part of a root that is inserted
	InsertedRow             // a row of a part that the function of an Update inserts
	ChangedRow              // a row of a part that it has read, and changes
	RemovedRow              // a row of a part that it deletes
)
