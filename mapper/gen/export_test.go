package gen

// OpenOn opens a store over a test double.
var OpenOn = openOn
