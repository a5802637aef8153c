package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// directive matches a comment with the queries that follow a query in the application.
var directive = regexp.MustCompile(`^(?:--|//|/\*)\s*aml:then\b(.*)`)

// Workflow returns the statements of a text as [Checker.Check] does, with the numbers of the queries that follow each of them in the application.
// A comment has these numbers after aml:then, such as Q3 or Q4, Q5. It is above its statement, or on the line in which the statement ends. The
// diagnostics report invalid comments.
func (c Checker) Workflow(text string, place func(offset int) model.Pos) (queries []*Query, faults []model.Diagnostic) {
	queries = c.Check(text, place)
	for _, at := range syntax.Comments(text) {
		found := directive.FindStringSubmatchIndex(text[at.From:at.To])
		if found == nil {
			continue
		}
		fault := func(offset int, fix, what string, args ...any) {
			faults = append(faults, model.Diagnostic{Pos: place(at.From + offset), Rule: RuleThen, What: fmt.Sprintf(what, args...), Fix: fix})
		}
		q := commented(text, queries, at)
		if q == nil {
			fault(0, "write it above a statement", "no statement follows aml:then")
			continue
		}
		names := strings.TrimSuffix(text[at.From+found[2]:at.From+found[3]], "*/")
		for _, name := range regexp.MustCompile(`[^\s,]+`).FindAllStringIndex(names, -1) {
			number, err := strconv.Atoi(strings.TrimPrefix(names[name[0]:name[1]], "Q"))
			if err != nil || names[name[0]] != 'Q' || number < 1 || number > len(queries) {
				fault(found[2]+name[0], fmt.Sprintf("the file has the queries Q1 to Q%d, numbered in the order of the statements", len(queries)), "there is no query %s", names[name[0]:name[1]])
				continue
			}
			q.Then = append(q.Then, number)
		}
		if strings.TrimSpace(names) == "" {
			fault(0, "write the number of a query: aml:then Q2", "no query follows aml:then")
		}
	}
	return queries, faults
}

// commented returns the query that a comment belongs to; nil for none.
func commented(text string, queries []*Query, comment syntax.Span) *Query {
	for i, q := range slices.Backward(queries) {
		if q.span.From > comment.From {
			continue
		}
		if q.span.To > comment.From || !strings.Contains(text[q.span.To:comment.From], "\n") {
			return q
		}
		if i+1 < len(queries) {
			return queries[i+1]
		}
		return nil
	}
	if len(queries) > 0 {
		return queries[0]
	}
	return nil
}
