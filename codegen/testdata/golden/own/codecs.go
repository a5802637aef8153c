package own

// AccountCodec is the codec of Account, for the tests of package codegen.
var AccountCodec = accountCodec
