package model

// Severity says what a diagnostic stops.
type Severity int

// The severities.
const (
	Refusal Severity = iota // nothing is generated
	Warning                 // the model is sound, but may not be what was meant; //aml:ignore silences it
)

// Rule is one thing that the language refuses or warns about. Codes never change their meaning and are never used again.
type Rule struct {
	Code     string
	Severity Severity
	Title    string
	About    string // why there is the rule, and how to keep it
	Source   string // a manual or a publication that it comes from; "" for none
}

// Rules returns all rules in the order of their codes.
func Rules() []Rule {
	return []Rule{
		RuleUnknownOption, RuleRepeatedOption, RuleNotExecuted, RuleMalformedTag, RuleMisplacedOption, RuleProperty, RuleIndex,
		RuleIgnore, RuleOptionAsName, RuleUnsupportedType, RuleUnexportedField, RuleTypeOption, RuleCycle, RuleComposedRoot, RuleNoComposition,
		RuleEmptyStruct, RuleMarkerTwice, RuleTupleColumn, RuleMultiplicity, RuleQualifier, RuleMisplacedMarker, RuleTooDeep, RuleNoIdentifier, RuleKeyOfObject,
		RuleOrderOffKey, RuleKeyType, RuleTooManyColumns, RuleStatic, RuleCounter, RuleVersion, RuleNeedsVersion,
		RuleGroupOfOne, RuleNeverEmpty, RuleHalfRequired, RuleDisjunctionColumn, RuleUnique, RuleSourcePath, RuleFromPath,
		RuleFromType, RuleSharedKey, RuleChain, RuleNilKey, RuleNoSource, RuleWhen, RuleTableTwice, RuleColumnTwice,
		RuleTypeTwice, RuleName, RuleGoNameCollides, RuleNoGoName, RuleAssociation, RuleOnDelete, RuleCopy, RulePart, RuleView,
		RuleUnused, RuleOverlap, RuleUnbounded, RuleFewPartitions, RuleBigPartition, RuleHotUnique, RuleIndexUse,
		RuleFrozenKey, RuleUnusedIgnore, RuleClaimant,
	}
}

// The rules, by what they speak of: 1 the tag, 2 types, 3 keys and columns, 4 redundancy, 5 names, 6 relations between
// aggregates, 9 warnings.
var (
	RuleUnknownOption = Rule{
		Code: "AML101", Severity: Refusal, Title: "unknown option",
		About: "A tag with a typing error would otherwise be a model that silently lacks a rule. The nearest option that exists is named.",
	}
	RuleRepeatedOption = Rule{
		Code: "AML102", Severity: Refusal, Title: "option given twice",
		About: "One of two values would win without a word. Keep the one that is meant.",
	}
	RuleNotExecuted = Rule{
		Code: "AML103", Severity: Refusal, Title: "part of the language that a generated store does not execute yet",
		About: "The schema of such a model is right, and -schema generates it alone; a store that ignored what it cannot keep would break the model's promise. aml check says it as a warning.",
	}
	RuleMalformedTag = Rule{
		Code: "AML104", Severity: Refusal, Title: "malformed tag",
		About: "Go's compiler does not read struct tags, so a fault in one shows only here. Quote a value that has a comma, and double the quotes inside it.",
	}
	RuleMisplacedOption = Rule{
		Code: "AML105", Severity: Refusal, Title: "option where it means nothing",
		About: "An option that has no effect is a wish that nobody fulfils. Delete it, or put it where the message says.",
	}
	RuleProperty = Rule{
		Code: "AML106", Severity: Refusal, Title: "table property that Cassandra refuses",
		About:  "A statement that the server refuses would stop a migration half way; a time to live or a gc_grace that undoes what the tool promises is refused here, too. The batchlog never replays a batch that is older than the smallest gc_grace of its tables.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/reference/cql-commands/create-table.html",
	}
	RuleIndex = Rule{
		Code: "AML107", Severity: Refusal, Title: "index that Cassandra refuses",
		About:  "A storage-attached index takes single values, the elements of a set or list that is not frozen, and a vector, with a few options. What is looked up in another way is a redundant aggregate.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-overview.html",
	}
	RuleIgnore = Rule{
		Code: "AML108", Severity: Refusal, Title: "aml:ignore that silences nothing it may",
		About: "The comment names the code of a warning and why it does not apply; a refusal cannot be silenced.",
	}
	RuleOptionAsName = Rule{
		Code: "AML109", Severity: Refusal, Title: "option where the name is",
		About: "A tag begins with the name of the column, so aml:\"required\" would name a column required, and aml:\"secret\" would not hide a value. Write a comma before the first option: aml:\",required\". A column that has the name of an option is written in quotes, and so is one with a blank or any character but letters, digits and _.",
	}

	RuleUnsupportedType = Rule{
		Code: "AML201", Severity: Refusal, Title: "Go type without a CQL type",
		About: "Cassandra has no unsigned integers, functions or channels. Use a type of the table in package aml's documentation, give the type MarshalCQL and UnmarshalCQL and say type=, or leave the field out.",
	}
	RuleUnexportedField = Rule{
		Code: "AML202", Severity: Refusal, Title: "unexported field",
		About: "A value that code outside the struct cannot read would be lost on its way to the database. Export the field or leave it out by its tag.",
	}
	RuleTypeOption = Rule{
		Code: "AML203", Severity: Refusal, Title: "type= that the Go type cannot hold",
		About: "A column's type never changes, so a value that does not fit it would fail for ever. The message lists what the Go type can be.",
	}
	RuleCycle = Rule{
		Code: "AML204", Severity: Refusal, Title: "cycle of compositions",
		About: "A value that contained itself would need a type of endless depth. Hold the identifier of the other one, or make it a part.",
	}
	RuleComposedRoot = Rule{
		Code: "AML205", Severity: Refusal, Title: "composition of a root or of a part",
		About:  "A root is stored in its own table and may be referenced from outside, a part is read and written by itself: neither is a value inside another aggregate. Hold its identifier with association=, or compose a value object.",
		Source: "Evans, Domain-Driven Design (2003), chapter 6, Aggregates",
	}
	RuleNoComposition = Rule{
		Code: "AML206", Severity: Refusal, Title: "struct without composition",
		About: "That a value belongs to the aggregate is said, not guessed: composition stores a user-defined type, type=tuple a tuple.",
	}
	RuleEmptyStruct = Rule{
		Code: "AML207", Severity: Refusal, Title: "struct without attributes",
		About: "Cassandra has no user-defined type without fields.",
	}
	RuleMarkerTwice = Rule{
		Code: "AML208", Severity: Refusal, Title: "struct with two markers",
		About: "A struct is the root of an aggregate, an entity or a value object, never two of them.",
	}
	RuleTupleColumn = Rule{
		Code: "AML209", Severity: Refusal, Title: "tuple as a column of its own",
		About: "The driver binds the members of a tuple column one by one and can leave none of them null or unset. Inside a collection or another struct a tuple is fine.",
	}
	RuleMultiplicity = Rule{
		Code: "AML210", Severity: Refusal, Title: "multiplicity that leaves no value",
		About: "max= bounds how many values a collection has and is at least 1 and at least min=.",
	}
	RuleQualifier = Rule{
		Code: "AML211", Severity: Refusal, Title: "qualifier that cannot be a key",
		About: "A qualified composition is a map, and the key of a map always has a value and an order. Name fields of the element that do.",
	}
	RuleMisplacedMarker = Rule{
		Code: "AML212", Severity: Refusal, Title: "marker that is not embedded",
		About: "A struct is part of a model when it embeds a marker itself, by value. A marker in a field with a name, behind a pointer, or in an embedded struct marks nothing, and the struct would be no model without a message.",
	}
	RuleTooDeep = Rule{
		Code: "AML213", Severity: Refusal, Title: "type of too many values",
		About: "A struct that composes the next one twice on each level doubles its values with every level, and a generic type can grow with each instance. A value has at most 32 levels of compositions and 2048 values in it, a struct at most 1024 fields with those of the structs that it embeds. Hold an identifier instead of a value, or make it an aggregate.",
	}

	RuleNoIdentifier = Rule{
		Code: "AML301", Severity: Refusal, Title: "root or entity without an identifier",
		About: "An identifier of a root is its partition key, without which Cassandra has no table; one of an entity tells it from its siblings.",
	}
	RuleKeyOfObject = Rule{
		Code: "AML302", Severity: Refusal, Title: "key option on what has no such key",
		About: "Value objects are equal by value and have no identifier; a discriminator tells them apart in a collection. Entities have identifiers, tuples neither.",
	}
	RuleOrderOffKey = Rule{
		Code: "AML303", Severity: Refusal, Title: "order off a discriminator",
		About: "Only clustering columns have an order on disk.",
	}
	RuleKeyType = Rule{
		Code: "AML304", Severity: Refusal, Title: "type that cannot be a key",
		About:  "A key is never null, has an order, and a collection or user-defined type in it is frozen. Use the value itself instead of a pointer, and final for what is to be frozen.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html",
	}
	RuleTooManyColumns = Rule{
		Code: "AML305", Severity: Refusal, Title: "more cells than a plan can count",
		About: "The plan of a write numbers the cells of a row, and an aggregate of hundreds of columns is too large in any case. A composition that is final counts as one.",
	}
	RuleStatic = Rule{
		Code: "AML306", Severity: Refusal, Title: "static where it cannot be",
		About:  "A static value belongs to a partition. Where each partition has one row, or the value is part of the key, it says nothing; where a version locks a row, it would lie outside the lock.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/ddl.html",
	}
	RuleCounter = Rule{
		Code: "AML307", Severity: Refusal, Title: "counter where it cannot be",
		About:  "Cassandra keeps counters in tables of their own, without other columns outside the key, without a time to live and without batches with other tables.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html",
	}
	RuleVersion = Rule{
		Code: "AML308", Severity: Refusal, Title: "version that cannot be one",
		About: "The version is the optimistic lock of one row: a number of 64 bits outside the key, one of it.",
	}
	RuleNeedsVersion = Rule{
		Code: "AML309", Severity: Refusal, Title: "what needs a version and has none",
		About: "Unique values, checked references and copies of another root are kept by conditional writes, which need an optimistic lock on each aggregate that takes part.",
	}
	RuleGroupOfOne = Rule{
		Code: "AML310", Severity: Refusal, Title: "group of one",
		About: "One alternative alone is no choice; most often the name of the group is misspelt on another field.",
	}
	RuleNeverEmpty = Rule{
		Code: "AML311", Severity: Refusal, Title: "member of a group that always has a value",
		About: "Of exclusive alternatives all but one are empty, so each must be able to be. Use a pointer.",
	}
	RuleHalfRequired = Rule{
		Code: "AML312", Severity: Refusal, Title: "exclusive alternatives of which some are required",
		About: "required on a group means that exactly one member has a value, so it is said on all of them or on none.",
	}
	RuleDisjunctionColumn = Rule{
		Code: "AML313", Severity: Refusal, Title: "field of a group's name that is no string",
		About: "A field with the name of an xor= group reads the name of the member in use, which is a text.",
	}
	RuleUnique = Rule{
		Code: "AML314", Severity: Refusal, Title: "unique where values cannot be claimed",
		About: "A unique value is claimed as the key of a reservation table. The values of a map, of a nested collection or of a partition belong to no single row that could claim them, and a key is unique by itself.",
	}

	RuleSourcePath = Rule{
		Code: "AML401", Severity: Refusal, Title: "redundant= that resolves to nothing",
		About: "The path is written in Go names: an aggregate of this package, then single compositions, then at most one collection or a method that returns a slice.",
	}
	RuleFromPath = Rule{
		Code: "AML402", Severity: Refusal, Title: "from= that resolves to nothing",
		About: "The path starts at the source and may go into the collection of redundant=, into no other. A method stands at its end.",
	}
	RuleFromType = Rule{
		Code: "AML403", Severity: Refusal, Title: "from= of another type",
		About: "A copy holds the very bytes of its source, so both have one type; a pointer and what it points to count as one. A method must return exactly the type of the field.",
	}
	RuleSharedKey = Rule{
		Code: "AML404", Severity: Refusal, Title: "redundant key that two rows of the source can share",
		About: "Each row of a redundant aggregate has one row of its source; two under one key would overwrite each other. The key holds, in plain columns, the whole key of the source and what tells the elements apart, or a unique value, or the marker vouches for it with distinct. An empty text claims nothing: a unique text is required, or the only identifier of the copy.",
	}
	RuleChain = Rule{
		Code: "AML405", Severity: Refusal, Title: "projection of a projection",
		About: "Copies of copies would drift apart step by step. Every redundant aggregate names the truth.",
	}
	RuleNilKey = Rule{
		Code: "AML406", Severity: Refusal, Title: "redundant key that can be nil",
		About: "A row cannot stand under a key without a value. when= says that the row exists only while there is one.",
	}
	RuleNoSource = Rule{
		Code: "AML407", Severity: Refusal, Title: "attribute of a redundant aggregate without a source",
		About: "A redundant aggregate is never written alone, so each of its values comes from the source: by the same Go name, or by from=.",
	}
	RuleWhen = Rule{
		Code: "AML408", Severity: Refusal, Title: "when= that says nothing",
		About: "A condition is true or false, or nil or not: a bool, something that can be nil, or a method that returns one. It leads through no collection but the one of redundant=.",
	}

	RuleTableTwice = Rule{
		Code: "AML501", Severity: Refusal, Title: "two tables of one name",
		About: "CREATE TABLE IF NOT EXISTS takes a table of another shape for the one that is meant. Derived tables and the one in which migrations are recorded count, too.",
	}
	RuleColumnTwice = Rule{
		Code: "AML502", Severity: Refusal, Title: "two columns or fields of one name",
		About: "Also columns that embedded structs bring, that name a group's member in use, or that a part has in its root's table; and two indexes.",
	}
	RuleTypeTwice = Rule{
		Code: "AML503", Severity: Refusal, Title: "two user-defined types of one name",
		About: "A keyspace has one type of a name. Embed aml.ValueObject and name one of them in its tag; a struct of another package, or an instance of a generic one, gets another name by a type of your own that is defined over it.",
	}
	RuleName = Rule{
		Code: "AML504", Severity: Refusal, Title: "name that Cassandra cannot live with",
		About:  "Names of tables become names of files, a type with the name of a CQL type keeps a node from starting again, and an index with a name of 300 letters stops it. 200 bytes leave room for what is derived.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/definitions.html",
	}
	RuleGoNameCollides = Rule{
		Code: "AML505", Severity: Refusal, Title: "generated name that the package declares",
		About: "The generated file stands in the package of the model. Rename what is in its way, or generate with -prefix.",
	}
	RuleNoGoName = Rule{
		Code: "AML506", Severity: Refusal, Title: "table whose name gives no Go name",
		About: "The generated store has a member for each table, called after it.",
	}

	RuleAssociation = Rule{
		Code: "AML601", Severity: Refusal, Title: "association to what is no root, or of another type than its key",
		About:  "Only roots may be referenced from outside their aggregate, by their whole key. A key of several fields is held by one field for each, and a reference is checked only where one store sees both ends.",
		Source: "Evans, Domain-Driven Design (2003), chapter 6, Aggregates",
	}
	RuleOnDelete = Rule{
		Code: "AML602", Severity: Refusal, Title: "ondelete= that cannot be done",
		About: "A checked reference restricts, cascades or is cleared, where it can be null; a copy restricts or is kept.",
	}
	RuleCopy = Rule{
		Code: "AML603", Severity: Refusal, Title: "copy= that cannot follow its target",
		About: "A copy holds fields of another root under its own rules: the target's own fields, of the same type, with the target's whole key, beside one reference and not many.",
	}
	RulePart = Rule{
		Code: "AML604", Severity: Refusal, Title: "part that cannot be one of its root's",
		About: "The rows of a part lie in the partition of its root and are deleted with it, so it has the root's identifiers, and the root no discriminators.",
	}
	RuleView = Rule{
		Code: "AML605", Severity: Refusal, Title: "view that its table cannot answer",
		About: "A view reads some columns of one table under Go names and types of that table's struct.",
	}

	RuleUnused = Rule{
		Code: "AML901", Severity: Warning, Title: "marked struct that no aggregate composes",
		About: "It is stored nowhere. Most often a composition is missing, or the struct is left over.",
	}
	RuleOverlap = Rule{
		Code: "AML902", Severity: Warning, Title: "plain projection that two overlapping writers can leave wrong",
		About: "Without a version, writes of one aggregate that overlap in time are merged cell by cell. A copy converges by itself only where its key cannot change, each of its cells comes from one cell of the source, and whether it has a row is decided by one cell with one value that means no row: null or false, not both, and not a field of an entry or of a frozen composition. A method can read several fields, so what it decides does not converge. A Delete removes the rows that it has read; a row that another writer adds meanwhile stays, except where the key of the copy starts with the whole key of the source: there Delete removes all rows of the source. Add a version, or let one writer at a time change an aggregate.",
	}
	RuleUnbounded = Rule{
		Code: "AML903", Severity: Warning, Title: "collection without max=",
		About:  "All of a collection is read and written with its row. What grows without bound slows every operation; make it a part, whose rows are read page by page.",
		Source: "Evans, Domain-Driven Design (2003), chapter 6, Aggregates",
	}
	RuleFewPartitions = Rule{
		Code: "AML904", Severity: Warning, Title: "partition key of few values",
		About: "A partition lies on as many nodes as there are replicas, so few partitions leave most of a cluster idle.",
	}
	RuleBigPartition = Rule{
		Code: "AML905", Severity: Warning, Title: "partition that grows too large",
		About:  "Beyond 100 MB or 100,000 rows compaction and reads of a partition suffer. Add an identifier that splits it, such as a day.",
		Source: "Chebotko, Kashlev and Lu, A Big Data Modeling Methodology for Apache Cassandra (IEEE BigData Congress 2015)",
	}
	RuleHotUnique = Rule{
		Code: "AML906", Severity: Warning, Title: "unique values of every element of a collection",
		About: "Each new element is claimed by a conditional write of its own before the aggregate is saved, three or four round trips each.",
	}
	RuleIndexUse = Rule{
		Code: "AML907", Severity: Warning, Title: "index on a column of too many values, or of ever new ones",
		About: "A read by an index asks every node. Where nearly each row has another value a redundant aggregate answers from one partition.",
	}
	RuleFrozenKey = Rule{
		Code: "AML908", Severity: Warning, Title: "user-defined type in a partition key",
		About: "Cassandra refuses to add a field to a type that a partition key uses.",
	}
	RuleUnusedIgnore = Rule{
		Code: "AML909", Severity: Warning, Title: "aml:ignore that silences nothing",
		About: "What it spoke of has been fixed, or it stands on the wrong line.",
	}
	RuleClaimant = Rule{
		Code: "AML910", Severity: Warning, Title: "distinct rows that do not contain the key of their source",
		About: "When a source gives up a distinct row (it moves the row to another key, or is deleted), another source can have claimed the same key before. The store reads the row first and keeps it where it contains the key of another source. It cannot where the row does not contain the source's key: then the row of the new owner is deleted. Add the key, in fields with from= or in a composition of the source.",
	}
)
