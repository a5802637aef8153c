package model

// Rule is one thing that the language refuses. Codes never change their meaning and are never used again.
type Rule struct {
	Code  string
	Title string
}

// The rules, by what they speak of: 1 the tag, 2 types, 3 keys, 4 redundancy, 5 names.
var (
	RuleUnknownOption   = Rule{"AML101", "unknown option"}
	RuleRepeatedOption  = Rule{"AML102", "option given twice"}
	RuleUnsupportedYet  = Rule{"AML103", "part of the language that this version does not execute"}
	RuleMalformedTag    = Rule{"AML104", "malformed tag"}
	RuleMisplacedOption = Rule{"AML105", "option where it means nothing"}

	RuleUnsupportedType = Rule{"AML201", "Go type without a CQL type"}
	RuleUnexportedField = Rule{"AML202", "unexported field"}
	RuleTypeOption      = Rule{"AML203", "type= that the Go type cannot hold"}
	RuleCycle           = Rule{"AML204", "cycle of compositions"}
	RuleComposedRoot    = Rule{"AML205", "composition of a root"}
	RuleNoComposition   = Rule{"AML206", "struct without composition"}
	RuleEmptyStruct     = Rule{"AML207", "struct without attributes"}
	RuleMarkerTwice     = Rule{"AML208", "struct with two markers"}

	RuleNoIdentifier   = Rule{"AML301", "root without an identifier"}
	RuleKeyOfObject    = Rule{"AML302", "key option on what has no key"}
	RuleOrderOffKey    = Rule{"AML303", "order off a discriminator"}
	RuleKeyType        = Rule{"AML304", "type that cannot be a key"}
	RuleTooManyColumns = Rule{"AML305", "more cells than a plan can count"}

	RuleSourcePath = Rule{"AML401", "redundant= that resolves to nothing"}
	RuleFromPath   = Rule{"AML402", "from= that resolves to nothing"}
	RuleFromType   = Rule{"AML403", "from= of another type"}
	RuleSharedKey  = Rule{"AML404", "redundant key that two rows of the source can share"}
	RuleChain      = Rule{"AML405", "projection of a projection"}
	RuleNilKey     = Rule{"AML406", "redundant key that can be nil"}
	RuleNoSource   = Rule{"AML407", "attribute of a redundant aggregate without a source"}

	RuleTableTwice     = Rule{"AML501", "two tables of one name"}
	RuleColumnTwice    = Rule{"AML502", "two columns or fields of one name"}
	RuleTypeTwice      = Rule{"AML503", "two user-defined types of one name"}
	RuleName           = Rule{"AML504", "name that Cassandra cannot live with"}
	RuleGoNameCollides = Rule{"AML505", "generated name that the package declares"}
	RuleNoGoName       = Rule{"AML506", "table whose name gives no Go name"}
)
