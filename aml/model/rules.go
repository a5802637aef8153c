package model

// Severity is the effect of a diagnostic.
type Severity int

// The severities.
const (
	Refusal Severity = iota // nothing is generated
	Warning                 // the model is valid, but may contain a mistake; //aml:ignore silences it
)

// Rule is one thing that the language refuses or warns about. Codes never change their meaning and are never reused.
type Rule struct {
	Code     string
	Severity Severity
	Title    string
	About    string // why the rule exists, and how to satisfy it
	Source   string // the manual or publication that it is based on; "" for none
}

// Rules returns all rules in the order of their codes.
func Rules() []Rule {
	return []Rule{
		RuleUnknownOption, RuleRepeatedOption, RuleNotExecuted, RuleMalformedTag, RuleMisplacedOption, RuleProperty, RuleIndex,
		RuleIgnore, RuleOptionAsName, RuleUnsupportedType, RuleUnexportedField, RuleTypeOption, RuleCycle, RuleComposedRoot, RuleNoComposition,
		RuleEmptyStruct, RuleMarkerTwice, RuleTupleColumn, RuleMultiplicity, RuleQualifier, RuleMisplacedMarker, RuleTooDeep, RuleEnum, RuleNoIdentifier, RuleKeyOfObject,
		RuleOrderOffKey, RuleKeyType, RuleTooManyColumns, RuleStatic, RuleCounter, RuleVersion, RuleNeedsVersion,
		RuleGroupOfOne, RuleNeverEmpty, RuleHalfRequired, RuleDisjunctionColumn, RuleUnique, RuleSourcePath, RuleFromPath,
		RuleFromType, RuleSharedKey, RuleChain, RuleNilKey, RuleNoSource, RuleWhen, RuleUnlogged, RuleCache, RuleTableTwice, RuleColumnTwice,
		RuleTypeTwice, RuleName, RuleGoNameCollides, RuleNoGoName, RuleUnreachable, RuleAssociation, RuleOnDelete, RuleCopy, RulePart, RuleView, RuleCascade,
		RuleUnused, RuleOverlap, RuleUnbounded, RuleFewPartitions, RuleBigPartition, RuleHotUnique, RuleIndexUse,
		RuleFrozenKey, RuleUnusedIgnore, RuleClaimant, RuleEmptyKey, RuleHeadRow,
	}
}

// The rules, by subject: 1 the tag, 2 types, 3 keys and columns, 4 redundancy, 5 names, 6 relations between
// aggregates, 9 warnings.
var (
	RuleUnknownOption = Rule{
		Code: "AML101", Severity: Refusal, Title: "unknown option",
		About: "Without this rule, a misspelt option would be ignored silently. The message suggests the existing option with the most similar name.",
	}
	RuleRepeatedOption = Rule{
		Code: "AML102", Severity: Refusal, Title: "repeated option",
		About: "Without this rule, one of the two values would be ignored silently. Keep the one that is meant.",
	}
	RuleNotExecuted = Rule{
		Code: "AML103", Severity: Refusal, Title: "type that a generated store does not encode",
		About: "A store cannot encode a type that package database/sql converts into a collection or a duration, or a type argument that generated code cannot name. The schema of such a model is correct, and -schema generates only the schema. aml check reports it as a warning.",
	}
	RuleMalformedTag = Rule{
		Code: "AML104", Severity: Refusal, Title: "malformed tag",
		About: "The Go compiler does not check struct tags, so a malformed tag is reported only here. Put quotes around a value that contains a comma, and double the quotes inside it.",
	}
	RuleMisplacedOption = Rule{
		Code: "AML105", Severity: Refusal, Title: "option without effect",
		About: "An option that has no effect here would promise something that the store does not do. Delete it, or move it as the message describes.",
	}
	RuleProperty = Rule{
		Code: "AML106", Severity: Refusal, Title: "table property that Cassandra refuses",
		About:  "A statement that the server refuses would stop a migration half way. A TTL or a gc_grace with which the store cannot guarantee consistency is refused, too: the batchlog never replays a batch that is older than the smallest gc_grace of its tables.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/reference/cql-commands/create-table.html",
	}
	RuleIndex = Rule{
		Code: "AML107", Severity: Refusal, Title: "index that Cassandra refuses",
		About:  "A storage-attached index supports single values, the elements of a set or list that is not frozen, and vectors, with a few options. For any other lookup, declare a redundant aggregate.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-overview.html",
	}
	RuleIgnore = Rule{
		Code: "AML108", Severity: Refusal, Title: "invalid aml:ignore",
		About: "The comment contains the code of a warning and the reason why it does not apply. A refusal cannot be silenced.",
	}
	RuleOptionAsName = Rule{
		Code: "AML109", Severity: Refusal, Title: "option in the place of the name",
		About: "A tag begins with the name of the column, so aml:\"required\" would name a column required, and aml:\"secret\" would not hide a value. Write a comma before the first option: aml:\",required\". Put quotes around the name of a column if it is the name of an option, or if it contains characters other than letters, digits and _.",
	}

	RuleUnsupportedType = Rule{
		Code: "AML201", Severity: Refusal, Title: "Go type without a CQL type",
		About: "Cassandra has no unsigned integers, functions or channels. Use a type from the table in the documentation of package aml, add the methods MarshalCQL and UnmarshalCQL to the type and the option type= to the field, or omit the field.",
	}
	RuleUnexportedField = Rule{
		Code: "AML202", Severity: Refusal, Title: "unexported field",
		About: "The value of an unexported field would not be stored. Export the field, or omit it with the tag aml:\"-\".",
	}
	RuleTypeOption = Rule{
		Code: "AML203", Severity: Refusal, Title: "type= that the Go type cannot hold",
		About: "The type of a column cannot be changed later, so a value that does not fit would always fail. The message lists the CQL types that the Go type can be stored as.",
	}
	RuleCycle = Rule{
		Code: "AML204", Severity: Refusal, Title: "cycle of compositions",
		About: "A value that contains itself would need a type of infinite depth. Store the identifier of the other value, or make it a part.",
	}
	RuleComposedRoot = Rule{
		Code: "AML205", Severity: Refusal, Title: "composition of a root or of a part",
		About:  "A root is stored in its own table and can be referenced from outside; a part is read and written separately. Neither is a value inside another aggregate. Store its identifier with association=, or compose a value object.",
		Source: "Evans, Domain-Driven Design (2003), chapter 6, Aggregates",
	}
	RuleNoComposition = Rule{
		Code: "AML206", Severity: Refusal, Title: "struct without composition",
		About: "A struct belongs to the aggregate only if the model declares it: composition stores a user-defined type, type=tuple a tuple.",
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
		Code: "AML209", Severity: Refusal, Title: "tuple as a column",
		About: "The driver binds the members of a tuple column one by one and cannot write a null or unset tuple. Inside a collection or another struct, a tuple is allowed.",
	}
	RuleMultiplicity = Rule{
		Code: "AML210", Severity: Refusal, Title: "invalid multiplicity",
		About: "max= limits the number of values of a collection. It must be at least 1 and at least min=.",
	}
	RuleQualifier = Rule{
		Code: "AML211", Severity: Refusal, Title: "invalid qualifier",
		About: "A qualified composition is a map, and the key of a map always has a value and an order. Use fields of the element that have both.",
	}
	RuleMisplacedMarker = Rule{
		Code: "AML212", Severity: Refusal, Title: "marker that is not embedded",
		About: "A struct is part of the model if it embeds a marker directly and by value. A marker that is a named field, a pointer or a member of an embedded struct has no effect. Without this rule, the struct would be omitted silently. A struct that embeds a marked struct and has no aml tags is no part of the model if it has tags of another package, such as json, or `aml:\"-\"` after the embedded struct.",
	}
	RuleTooDeep = Rule{
		Code: "AML213", Severity: Refusal, Title: "type with too many values",
		About: "If each struct composes the next one twice, the number of values doubles with every level, and a generic type can grow with each instance. A value has at most 32 levels of compositions and contains at most 2048 values. A struct has at most 1024 fields, including those of the structs that it embeds. Store an identifier instead of a value, or make it an aggregate.",
	}
	RuleEnum = Rule{
		Code: "AML214", Severity: Refusal, Title: "enum on a type without constants",
		About: "With enum, only the constants that the package of the field's Go type declares with this type are written. They are texts, integers or booleans, and the generated code encodes them without methods of the type.",
	}

	RuleNoIdentifier = Rule{
		Code: "AML301", Severity: Refusal, Title: "root or entity without an identifier",
		About: "The identifier of a root is its partition key, which every Cassandra table has. The identifier of an entity distinguishes it from its siblings.",
	}
	RuleKeyOfObject = Rule{
		Code: "AML302", Severity: Refusal, Title: "invalid key option",
		About: "Value objects are compared by value and have no identifier; a discriminator distinguishes them in a collection. Entities have identifiers. Tuples have neither.",
	}
	RuleOrderOffKey = Rule{
		Code: "AML303", Severity: Refusal, Title: "order without a discriminator",
		About: "Only clustering columns have an order on disk.",
	}
	RuleKeyType = Rule{
		Code: "AML304", Severity: Refusal, Title: "type that cannot be a key",
		About:  "A key is never null and has an order, and a collection or user-defined type in it is frozen. Use a value instead of a pointer, and final to freeze a collection or a composition.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html",
	}
	RuleTooManyColumns = Rule{
		Code: "AML305", Severity: Refusal, Title: "too many cells",
		About: "The plan of a write numbers the cells of a row, and an aggregate with hundreds of columns is too large in any case. A composition that is final counts as one cell.",
	}
	RuleStatic = Rule{
		Code: "AML306", Severity: Refusal, Title: "invalid static",
		About:  "A static value belongs to a partition. It has no effect if each partition has one row, and it cannot be part of the key. A version protects only one row, so a static value would not be protected by it. A write of one row changes a static value for all rows of the partition, but it changes only the copies of that row. So neither the rows of a copy nor the results of methods may depend on a static value. A copy can contain one in a static column of the same partition key.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/ddl.html",
	}
	RuleCounter = Rule{
		Code: "AML307", Severity: Refusal, Title: "invalid counter",
		About:  "Cassandra stores counters in separate tables, without other columns outside the key, without a TTL and without batches with other tables.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html",
	}
	RuleVersion = Rule{
		Code: "AML308", Severity: Refusal, Title: "invalid version",
		About: "The version is the optimistic lock of one row: a 64-bit integer outside the key. An aggregate has at most one.",
	}
	RuleNeedsVersion = Rule{
		Code: "AML309", Severity: Refusal, Title: "missing version",
		About: "Unique values, checked references and copies of another root are maintained by conditional writes, which need an optimistic lock on each aggregate involved.",
	}
	RuleGroupOfOne = Rule{
		Code: "AML310", Severity: Refusal, Title: "group with one member",
		About: "A group needs at least two alternatives. Most often the name of the group is misspelt on another field.",
	}
	RuleNeverEmpty = Rule{
		Code: "AML311", Severity: Refusal, Title: "member of a group that always has a value",
		About: "All exclusive alternatives except one are empty, so each of them must be able to be empty. Use a pointer.",
	}
	RuleHalfRequired = Rule{
		Code: "AML312", Severity: Refusal, Title: "group with some required members",
		About: "In an xor= group, required means that exactly one member has a value. Write it on all members or on none.",
	}
	RuleDisjunctionColumn = Rule{
		Code: "AML313", Severity: Refusal, Title: "field with the name of a group that is not a string",
		About: "A field with the name of an xor= group contains the name of the member in use, which is a text.",
	}
	RuleUnique = Rule{
		Code: "AML314", Severity: Refusal, Title: "invalid unique",
		About: "A unique value is claimed as the key of a row in a reservation table. The values of a map, of a nested collection or of a partition do not belong to a single row that could claim them. A key is already unique.",
	}

	RuleSourcePath = Rule{
		Code: "AML401", Severity: Refusal, Title: "invalid path in redundant=",
		About: "The path consists of Go names: an aggregate of this package, then single compositions, then at most one collection or a method that returns a slice.",
	}
	RuleFromPath = Rule{
		Code: "AML402", Severity: Refusal, Title: "invalid path in from=",
		About: "The path starts at the source. It can go into the collection of redundant=, but not into another one. A method can only be its last step.",
	}
	RuleFromType = Rule{
		Code: "AML403", Severity: Refusal, Title: "from= with another type",
		About: "A copy contains the same bytes as its source, so both have the same type; T and *T count as the same type. A method must return exactly the type of the field.",
	}
	RuleSharedKey = Rule{
		Code: "AML404", Severity: Refusal, Title: "redundant key that several rows of the source can share",
		About: "Each row of a redundant aggregate is derived from one row of its source; two rows with the same key would overwrite each other. The key must contain, in plain columns, the whole key of the source and what distinguishes the elements, or a unique value; or the marker has distinct. An empty text claims nothing, nor does a group that contains one, so a unique text must be required or be the only identifier of the copy.",
	}
	RuleChain = Rule{
		Code: "AML405", Severity: Refusal, Title: "projection of a projection",
		About: "A copy of a copy could differ from the root more and more. redundant= always refers to the root or part that the program writes.",
	}
	RuleNilKey = Rule{
		Code: "AML406", Severity: Refusal, Title: "redundant key that can be nil",
		About: "A row must have a value for each column of its key. With when=, the row exists only while the value is not nil.",
	}
	RuleNoSource = Rule{
		Code: "AML407", Severity: Refusal, Title: "attribute of a redundant aggregate without a source",
		About: "A redundant aggregate is never written by itself, so each of its values comes from the source: from the field with the same Go name, or from the path of from=.",
	}
	RuleWhen = Rule{
		Code: "AML408", Severity: Refusal, Title: "invalid condition in when=",
		About: "A condition is a bool, a value that can be nil, a method that returns one of them, or a field that is compared with constants. A constant has the type of the field; if the Go type of the field has declared constants, it is one of them. The path can go into the collection of redundant=, but not into another one.",
	}

	RuleUnlogged = Rule{
		Code: "AML409", Severity: Refusal, Title: "unlogged copy whose rows must not be missing",
		About: "The rows of an unlogged aggregate are written after the source and outside of its logged batch, so some of them can be missing until Reconcile writes them. The rows of a distinct aggregate show which source owns them, and rows with a unique value in their key show that it is taken.",
	}
	RuleCache = Rule{
		Code: "AML410", Severity: Refusal, Title: "invalid cache=",
		About: "A process does not write a row of a shared aggregate again that it has written within the time of cache=. The time is a whole number of seconds, such as 90s, 30m or 12h. The rows have no columns outside their key, and if they expire, the time is at most half of their TTL.",
	}

	RuleTableTwice = Rule{
		Code: "AML501", Severity: Refusal, Title: "two tables with the same name",
		About: "CREATE TABLE IF NOT EXISTS succeeds without a change if a different table has that name. The names of derived tables and of the table that records migrations are taken, too.",
	}
	RuleColumnTwice = Rule{
		Code: "AML502", Severity: Refusal, Title: "two columns or fields with the same name",
		About: "This includes the columns of embedded structs, the column with the name of the member of a group in use, and the columns of a part in its root's table. Two indexes cannot have the same name either.",
	}
	RuleTypeTwice = Rule{
		Code: "AML503", Severity: Refusal, Title: "two user-defined types with the same name",
		About: "The name of a type is unique in a keyspace. Embed aml.ValueObject in one of the structs and write another name in its tag. For a struct of another package, or an instance of a generic struct, define a type of your own on top of it.",
	}
	RuleName = Rule{
		Code: "AML504", Severity: Refusal, Title: "invalid name",
		About:  "The names of tables become names of files. A node cannot start again if a type has the name of a CQL type, and an index with a name of 300 letters stops it. The limit of 200 bytes leaves room for derived names.",
		Source: "https://cassandra.apache.org/doc/latest/cassandra/developing/cql/definitions.html",
	}
	RuleGoNameCollides = Rule{
		Code: "AML505", Severity: Refusal, Title: "generated name that the package declares",
		About: "The package of the generated file already declares the name. Without -package, it is the package of the model. Rename your declaration, or generate with -prefix.",
	}
	RuleNoGoName = Rule{
		Code: "AML506", Severity: Refusal, Title: "table name without a Go name",
		About: "The generated store has a field for each table, with the table's name in Go's form.",
	}
	RuleUnreachable = Rule{
		Code: "AML507", Severity: Refusal, Title: "name that a store in another package cannot use",
		About: "With -package, the generated code is not in the package of the model, and Go lets it use exported names only, and only packages that it can import. Export the struct, type, embedded struct or method, or generate the store in the package of the model.",
	}

	RuleAssociation = Rule{
		Code: "AML601", Severity: Refusal, Title: "invalid association",
		About:  "Only roots can be referenced from outside their aggregate, by their whole key and with its type. A key of several fields needs one field for each of them. A reference can be checked only if both aggregates belong to the same store.",
		Source: "Evans, Domain-Driven Design (2003), chapter 6, Aggregates",
	}
	RuleOnDelete = Rule{
		Code: "AML602", Severity: Refusal, Title: "invalid ondelete=",
		About: "A checked reference has restrict, cascade or, if it can be null and is not final, clear. A copy has restrict or keep.",
	}
	RuleCopy = Rule{
		Code: "AML603", Severity: Refusal, Title: "invalid copy=",
		About: "A copy contains fields of another root: the target's own fields, of the same type, together with the target's whole key, for a single reference and not for a collection of them. A copy of a final field follows from the reference: both can be nil or neither, and the reference is not static.",
	}
	RulePart = Rule{
		Code: "AML604", Severity: Refusal, Title: "invalid part",
		About: "The rows of a part are in the partition of its root and are deleted with it, so a part has the root's identifiers, and the root has no discriminators. The parts of a root with a version are in its table, because a conditional batch writes one table. To move them from a table of their own, change the model in a new table or keyspace, and copy each root with a program: GetWith of the store of the earlier model returns a root and its parts, and InsertWith of the new store writes them, and their redundant rows, under a version. It writes at most 1,000 parts that have redundant tables; Insert more of them in the functions of Updates.",
	}
	RuleView = Rule{
		Code: "AML605", Severity: Refusal, Title: "invalid view",
		About: "A view reads some columns of one table. Its fields have the Go names and types of that table's struct.",
	}
	RuleCascade = Rule{
		Code: "AML606", Severity: Refusal, Title: "cascade to a root whose deletion can be refused",
		About: "A deletion of the target deletes the roots that refer to it one after the other. If another reference restricts the deletion of one of them, the deletion fails after others are gone.",
	}

	RuleUnused = Rule{
		Code: "AML901", Severity: Warning, Title: "marked struct that no aggregate composes",
		About: "The struct is not stored. Most often a composition is missing, or the struct is no longer used.",
	}
	RuleOverlap = Rule{
		Code: "AML902", Severity: Warning, Title: "plain projection that overlapping writes can leave wrong",
		About: "Without a version, writes of one aggregate that overlap in time are merged cell by cell. A copy converges only if its key cannot change, each of its cells comes from one cell of the source, and one cell with one value that means no row (null or false, not both, and not a field of an entry or of a frozen composition) decides whether the row exists. A method can read several fields, so a result of a method does not converge, unless the method reads only the key. A Delete removes the rows that it has read. A row that another writer adds concurrently remains, unless the key of the copy starts with the whole key of the source, or follows from it: then Delete removes all rows of the source. Add a version, or make sure that only one writer at a time changes an aggregate.",
	}
	RuleUnbounded = Rule{
		Code: "AML903", Severity: Warning, Title: "collection without max=",
		About:  "A whole collection is read and written with its row. A collection that grows without a limit slows every operation. Add max=, or make it a part, whose rows are read page by page.",
		Source: "Evans, Domain-Driven Design (2003), chapter 6, Aggregates",
	}
	RuleFewPartitions = Rule{
		Code: "AML904", Severity: Warning, Title: "partition key with few values",
		About: "Each partition is stored only on its replicas, so few partitions leave most of a cluster idle.",
	}
	RuleBigPartition = Rule{
		Code: "AML905", Severity: Warning, Title: "large partition",
		About:  "Compaction and reads are slow for a partition of more than 100 MB or 100,000 rows. Add an identifier that splits it, such as a day.",
		Source: "Chebotko, Kashlev and Lu, A Big Data Modeling Methodology for Apache Cassandra (IEEE BigData Congress 2015)",
	}
	RuleHotUnique = Rule{
		Code: "AML906", Severity: Warning, Title: "unique values of every element of a collection",
		About: "Each new element is claimed by a separate conditional write of three or four round trips before the aggregate is saved.",
	}
	RuleIndexUse = Rule{
		Code: "AML907", Severity: Warning, Title: "index on a column with nearly unique or often changing values",
		About: "A read by an index queries every node. If nearly every row has a different value, use a redundant aggregate, which is read from one partition.",
	}
	RuleFrozenKey = Rule{
		Code: "AML908", Severity: Warning, Title: "user-defined type in a partition key",
		About: "Cassandra refuses to add a field to a type that a partition key uses.",
	}
	RuleUnusedIgnore = Rule{
		Code: "AML909", Severity: Warning, Title: "aml:ignore that silences nothing",
		About: "The warning has been fixed, or the comment is on the wrong line.",
	}
	RuleClaimant = Rule{
		Code: "AML910", Severity: Warning, Title: "distinct row without the key of its source",
		About: "When a source releases a distinct row (the key of the row changes, or the source is deleted), another source can already have claimed the same key. The store reads the row first and keeps it if it contains the key of another source. If rows do not contain the source's key, the store cannot do that, and deletes the row of the new owner. Add the key, in fields with from= or in a composition of the source.",
	}
	RuleEmptyKey = Rule{
		Code: "AML911", Severity: Warning, Title: "text that can be empty as the partition key of a copy",
		About: "Cassandra refuses an empty value as the whole partition key. An Insert of a value in which the text is empty would be refused because of its copy. Add required to the field of the source, so that the error names the field; add another identifier to the copy; or omit such rows with a condition.",
	}
	RuleHeadRow = Rule{
		Code: "AML912", Severity: Warning, Title: "parts of a versioned root without headrow",
		About: "Each read and each save of a versioned root with parts in its table passes the deleted rows at the beginning of its partition, until gc_grace_seconds have passed and they are compacted; above 100,000 the server refuses both. With headrow they cost the same however many parts have been deleted. It adds a column to the primary key and a small row to each partition, and no request, and it changes the primary key: an existing table must be replaced by a new one. Accept the warning if few parts of a root are deleted while it stays.",
	}
)
