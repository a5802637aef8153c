package codegen

import "slices"

// Reconciled returns the tables that Reconcile of the store compares: the tables of roots with redundant tables, parts, copied fields or a version.
func (v *view) Reconciled() (tables []*tableView) {
	for _, t := range v.Tables {
		if t.Reconciled() {
			tables = append(tables, t)
		}
	}
	return tables
}

// Reconciled reports whether the table has the rows of a root with redundant tables, parts, copied fields or a version.
func (v *tableView) Reconciled() bool {
	return v.Root() && (len(v.Copies) > 0 || len(v.Parts) > 0 || v.Versioned != nil || v.hasCopied())
}

// hasCopied reports whether fields of the root are copies of fields of other roots.
func (v *tableView) hasCopied() bool { return len(v.source.Aggregate.FinalCopies) > 0 }

// ReconciledByKey reports whether one row of the table has something to compare: redundant rows or unique values.
func (v *tableView) ReconciledByKey() bool {
	return len(v.Copies) > 0 || v.unique() || v.related()
}

// unique reports whether the table has unique values.
func (v *tableView) unique() bool { return v.Versioned != nil && len(v.Versioned.Uniques) > 0 }

// ReconcileDoc returns the comment of the method of the store.
func (v *view) ReconcileDoc() string {
	const (
		versioned = "releases unique values that no root has, and removes what is left of deleted rows after gc_grace_seconds. "
		all       = "With config.DryRun it writes nothing. It reads all rows of these tables."
	)
	reported := v.missingRootsDoc() + v.copiedFieldsDoc()
	if len(v.Copied()) == 0 && !v.HasVersions() {
		of := "parts"
		if v.missingRootsDoc() == "" {
			of = "roots with copied fields"
		}
		return doc("Reconcile examines the tables of %s, while other programs write. %s", of, reported+all)
	}
	if len(v.Copied()) == 0 {
		return doc("Reconcile examines the tables of versioned roots, while other programs write: it %s%s", versioned, reported+all)
	}
	text := "Reconcile compares the redundant tables with the tables of their roots, and repairs what differs, while other programs write: it writes " +
		"rows that are missing or stale, and deletes rows that follow from no root. "
	if v.HasVersions() {
		text += "Of versioned roots it also completes saves that have not been written to all redundant tables, " + versioned
	}
	if slices.ContainsFunc(v.Copied(), func(t *tableView) bool { return t.Versioned == nil && t.Guarded == nil }) {
		text += graceDoc
	}
	return doc("%s", text+"Reconcile cannot repair a row that two roots have, or a row that a later deletion hides, and it does not change the values of roots: "+
		"it reports them. "+reported+orphansDoc(v.unproven())+all)
}

const partsWithoutRootDoc = "It reports rows of parts whose root does not exist, and does not change them. "

// missingRootsDoc returns a sentence about parts without a root; "" if there are no parts of plain roots.
func (v *view) missingRootsDoc() string {
	if slices.ContainsFunc(v.Tables, func(t *tableView) bool { return len(t.Parts) > 0 && t.Versioned == nil }) {
		return partsWithoutRootDoc
	}
	return ""
}

// copiedFieldsDoc returns a sentence about fields that are copies of fields of other roots; "" if there are none.
func (v *view) copiedFieldsDoc() string {
	if !slices.ContainsFunc(v.Tables, func(t *tableView) bool { return t.Root() && t.hasCopied() }) {
		return ""
	}
	return "It reports fields that are copies of a field of another root and differ from it, and does not change them. "
}

const graceDoc = "A row that differs, but was written within config.Grace, is left for a later run: see TooRecent of the report. "

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
// not show whether it follows from a root. Shared rows are never deleted.
func (v *tableView) unproven() (names []string) {
	for _, c := range v.Copies {
		if !c.Shared && c.SourceKey == nil && c.ByUnique == 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// reconcileDoc returns the comment of the method of a root's table, once its copies are known.
func (v *tableView) reconcileDoc() string {
	what := "the unique values of one " + v.Struct
	if len(v.Copies) > 0 {
		if what = "the rows of one " + v.Struct + " in " + v.copyNames(); v.unique() {
			what += ", and its unique values,"
		}
	}
	text := "Reconcile compares " + what + " with its row, and repairs what differs. "
	if v.Versioned == nil {
		text += graceDoc
	}
	return doc("%s%s", text, v.knownDoc())
}

// knownDoc describes the earlier values that a caller passes to Reconcile.
func (v *tableView) knownDoc() string {
	text := v.Key.Known + " are earlier values of the " + v.Struct + ": "
	switch {
	case len(v.Copies) == 0:
		return text + "unique values that they have, but not the row, are released."
	case v.unique():
		text += "rows and unique values that follow from them, but not from the row, are removed."
	default:
		text += "rows that follow from them, but not from the row, are deleted."
	}
	text += " Reconcile of the store finds all of these"
	if unproven := v.unproven(); len(unproven) > 0 {
		text += ", except for rows of " + list(unproven)
	}
	return text + "."
}
