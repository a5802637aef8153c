package examples

import (
	"testing"

	"github.com/cassaml/cassaml/examples/queue/jobs"
	"github.com/cassaml/cassaml/examples/secrets/vault"
	"github.com/cassaml/cassaml/examples/traces/index"
)

// A secret and its row in the folder are written and deleted with one request each.
func TestSecretsByFolder(t *testing.T) {
	p := run(t, vault.Schema, vault.Demo)
	p.sent(t, `
		1: [[write secrets, write secrets_by_folder]]
		1: [[write secrets, write secrets_by_folder]]
		1: [[write secrets, write secrets_by_folder]]
		1: [[write secrets, write secrets_by_folder]]
		2: read secrets
		3: read secrets_by_folder
		4: write secrets
		5: [[delete secrets, delete secrets_by_folder]]
	`)
	p.says(t, `
		password
		port
	`)
	p.holds(t, "secrets_by_folder", `
		{"folder": "prod/db", "name": "password", "path": "prod/db/password", "rules": "ops"}
		{"folder": "prod/db", "name": "port", "path": "prod/db/port", "rules": "ops"}
		{"folder": "prod/mail", "name": "password", "path": "prod/mail/password", "rules": "ops"}
	`)
}

// The newest spans of a service are found in all buckets.
func TestSpansInBuckets(t *testing.T) {
	p := run(t, index.Schema, index.Demo)
	p.sent(t, `
		1: write spans
		1: write spans_by_service
		1: write spans
		1: write spans_by_service
		1: write spans
		1: write spans_by_service
		2: write spans
		2: write spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
		3: read spans_by_service
	`)
	p.says(t, `
		trace 102
		trace 101
	`)
}

// Tasks are added and completed in one conditional batch each, whatever their number. A call that is repeated writes nothing.
func TestQueueOfTasks(t *testing.T) {
	p := run(t, jobs.Schema, jobs.Demo)
	p.sent(t, `
		1: [compare and set queues, write queues]
		2: read queues
		2: [compare and set queues, write queues, write queues, write queues]
		3: read queues
		4: read queues
		4: read queues
		5: read queues
		5: [compare and set queues, delete queues]
		6: read queues
	`)
}
