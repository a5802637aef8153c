package depot

// Lockers is the aggregate of lockers, for simulations. The schema of a store has only aggregates with redundant tables.
var Lockers = lockersAggregate
