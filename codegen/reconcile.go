package codegen

import "slices"

// Reconciled returns the tables that Reconcile of the store compares: those of roots with redundant tables or a version.
func (v *view) Reconciled() (tables []*tableView) {
	for _, t := range v.Tables {
		if t.Reconciled() {
			tables = append(tables, t)
		}
	}
	return tables
}

// Reconciled reports whether the table is that of a root with redundant tables or a version.
func (v *tableView) Reconciled() bool { return v.Root && (len(v.Copies) > 0 || v.Versioned != nil) }

// ReconcileDoc returns the comment of the method of the store.
func (v *view) ReconcileDoc() string {
	text := "Reconcile compares the redundant tables with the tables of their roots, and repairs what differs, while other programs write: it writes " +
		"rows that are missing or stale, and deletes rows that follow from no root. "
	if v.HasVersions() {
		text += "Of versioned roots it also completes saves that have not been written to all redundant tables, releases unique values that no root has, " +
			"and removes what is left of deleted rows after gc_grace_seconds. "
	}
	text += "A row that was written within config.Grace before it is read is left for a later run, and counted in Later of the report. Reconcile cannot " +
		"repair a row that two roots have, a row that a later deletion hides, a write time that is ahead of the clocks, or a root that violates the model: " +
		"it reports them. " + orphansDoc(v.unproven()) + "With config.DryRun it writes nothing. It reads all rows of these tables."
	return doc("%s", text)
}

// orphansDoc returns a sentence about redundant tables whose rows do not contain the key of their root; "" if there are none.
func orphansDoc(tables []string) string {
	if len(tables) == 0 {
		return ""
	}
	return "In " + list(tables) + " it does not search for rows that follow from no root, because they do not contain the key of their root. "
}

func (v *view) unproven() (names []string) {
	for _, t := range v.Tables {
		names = append(names, t.unproven()...)
	}
	return names
}

// unproven returns the redundant tables whose rows contain neither the key of their root nor a unique value of it, so that a row does
// not show whether it follows from a root.
func (v *tableView) unproven() (names []string) {
	for _, c := range v.Copies {
		if c.SourceKey == nil && c.ByUnique == 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// reconcileDoc returns the comment of the method of a root's table, once its copies are known.
func (v *tableView) reconcileDoc() string {
	unique := v.Versioned != nil && len(v.Versioned.Uniques) > 0
	what := ""
	switch {
	case len(v.Copies) > 0 && unique:
		what = "the rows of one " + v.Struct + " in " + v.copyNames() + ", and its unique values,"
	case len(v.Copies) > 0:
		what = "the rows of one " + v.Struct + " in " + v.copyNames()
	case unique:
		what = "the unique values of one " + v.Struct
	default:
		return doc("Reconcile removes what is left of one %s that was deleted more than gc_grace_seconds ago. %s is not used.", v.Struct, v.KnownParam)
	}
	return doc("Reconcile compares %s with its row, and repairs what differs. If the row was written within config.Grace, it is left for a later run. %s%s",
		what, v.knownDoc(), v.reportedDoc())
}

// knownDoc returns what the values are for that a caller passes to Reconcile.
func (v *tableView) knownDoc() string {
	if len(v.Copies) == 0 {
		return v.KnownParam + " is not used."
	}
	return v.KnownParam + " are earlier values of the " + v.Struct + ": rows that follow from them, but not from the row, are deleted. Reconcile of the store finds all such rows."
}

// reportedDoc returns what Reconcile does not repair.
func (v *tableView) reportedDoc() string {
	if slices.ContainsFunc(v.Copies, func(c copiesView) bool { return c.Distinct }) {
		return " A row that two roots have is only reported."
	}
	return ""
}
