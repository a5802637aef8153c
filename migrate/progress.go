package migrate

import "github.com/cassaml/cassaml/migrate/folder"

// report sends an event to the logger and to the caller.
func (r *run) report(kind EventKind, s step) {
	e := r.newEvent(kind, s)
	r.notify(e)
	r.config.Logger.Info("migration "+string(kind), "file", e.File, "line", e.Line, "statement", e.Number, "of", e.Total, "text", folder.Statement{Text: e.Statement}.Headline(), "epoch", e.Epoch)
}

// newEvent returns the event of a step.
func (r *run) newEvent(kind EventKind, s step) Event {
	e := Event{Kind: kind, Epoch: r.state.epoch, Folder: r.folder, File: s.file.Name, Number: s.target(), Total: len(s.file.Statements)}
	if st, ok := s.statement(); ok {
		e.Line, e.Statement = st.Line, st.Text
	}
	if s.fill != nil {
		e.Number, e.Line, e.Statement = 0, 0, "-- aml:backfill "+s.fill.key.table
	}
	return e
}

// notify sends an event to the caller.
func (r *run) notify(e Event) {
	if r.config.Progress != nil {
		r.config.Progress(e)
	}
}
