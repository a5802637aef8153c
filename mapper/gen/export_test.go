package gen

// OpenStore opens a store over a test double.
var OpenStore = openStore
