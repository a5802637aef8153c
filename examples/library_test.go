package examples

import (
	"testing"

	"github.com/cassaml/cassaml/examples/library/catalogue"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// A title reaches every copy; a renamed venue or author moves rows; likes and reviews of a withdrawn artifact stay.
func TestLibrary(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, catalogue.Schema, catalogue.Demo)
	p.sent(t, `
		1: [[write artifacts, write artifacts_by_venue, write artifacts_by_author, write artifacts_by_author]]
		1: [[write artifacts, write artifacts_by_venue, write artifacts_by_author, write artifacts_by_author]]
		1: [[write artifacts, write artifacts_by_venue, write artifacts_by_author, write artifacts_by_author, write artifacts_by_author]]
		2: read artifacts_by_venue
		3: read artifacts_by_author
		4: read artifacts
		4: [[write artifacts, write artifacts_by_venue, write artifacts_by_author, write artifacts_by_author]]
		5: read artifacts_by_venue
		5: read artifacts
		5: [[write artifacts, write artifacts_by_venue, delete artifacts_by_venue, write artifacts_by_author, write artifacts_by_author]]
		6: read artifacts
		6: [[write artifacts, write artifacts_by_venue, write artifacts_by_author, write artifacts_by_author, delete artifacts_by_author]]
		7: read artifacts
		7: [[write users_by_artifact, write artifacts_by_user, write experts_by_artifact, write experts_by_artifact]]
		8: read experts_by_artifact
		9: read users_by_artifact
		9: [[write users_by_artifact, write experts_by_artifact, delete experts_by_artifact]]
		10: write venues_by_user
		11: write reviews_by_user
		11: write ratings_by_artifact
		12: delete reviews_by_user
		12: write reviews_by_user
		12: write ratings_by_artifact
		13: read artifacts
		13: [[delete artifacts, delete artifacts_by_venue, delete artifacts_by_author, delete artifacts_by_author]]`)
	p.says(t, `
		2010 Cassandra: a decentralised storage system
		2010 Cassandra: a decentralised storage system, SIGOPS Operating Systems Review
		2009 Cassandra: structured storage system on a P2P network, PODC
		Maria Souza knows about [databases storage]
		{"artifact_id": "00000000-0000-0000-0000-000000000001", "artifact_title": "Cassandra: a decentralized structured storage system", "artifact_type": "article", "authors": ["Avinash Lakshman", "Prashant R. Malik"], "keywords": ["storage"], "venue_name": "ACM SIGOPS Operating Systems Review", "year": 2010}
		{"venue_name": "ACM SIGOPS Operating Systems Review", "year": 2010, "artifact_id": "00000000-0000-0000-0000-000000000001", "artifact_title": "Cassandra: a decentralized structured storage system", "artifact_type": "article", "authors": ["Avinash Lakshman", "Prashant R. Malik"], "keywords": ["storage"]}
		{"author": "Avinash Lakshman", "year": 2010, "artifact_id": "00000000-0000-0000-0000-000000000001", "artifact_title": "Cassandra: a decentralized structured storage system", "artifact_type": "article", "authors": ["Avinash Lakshman", "Prashant R. Malik"], "keywords": ["storage"], "venue_name": "ACM SIGOPS Operating Systems Review"}
		{"author": "Prashant R. Malik", "year": 2010, "artifact_id": "00000000-0000-0000-0000-000000000001", "artifact_title": "Cassandra: a decentralized structured storage system", "artifact_type": "article", "authors": ["Avinash Lakshman", "Prashant R. Malik"], "keywords": ["storage"], "venue_name": "ACM SIGOPS Operating Systems Review"}`)
	p.holds(t, "artifacts", `
		{"artifact_id": "00000000-0000-0000-0000-000000000002", "artifact_title": "Cassandra: structured storage system on a P2P network", "artifact_type": "paper", "authors": ["Avinash Lakshman", "Prashant Malik"], "keywords": null, "venue_name": "PODC", "year": 2009}
		{"artifact_id": "00000000-0000-0000-0000-000000000003", "artifact_title": "A Big Data Modeling Methodology for Apache Cassandra", "artifact_type": "paper", "authors": ["Artem Chebotko", "Andrey Kashlev", "Shiyong Lu"], "keywords": null, "venue_name": "BigData Congress", "year": 2015}`)
	p.holds(t, "artifacts_by_venue", `
		{"venue_name": "BigData Congress", "year": 2015, "artifact_id": "00000000-0000-0000-0000-000000000003", "artifact_title": "A Big Data Modeling Methodology for Apache Cassandra", "artifact_type": "paper", "authors": ["Artem Chebotko", "Andrey Kashlev", "Shiyong Lu"], "keywords": null}
		{"venue_name": "PODC", "year": 2009, "artifact_id": "00000000-0000-0000-0000-000000000002", "artifact_title": "Cassandra: structured storage system on a P2P network", "artifact_type": "paper", "authors": ["Avinash Lakshman", "Prashant Malik"], "keywords": null}`)
	p.holds(t, "artifacts_by_author", `
		{"author": "Andrey Kashlev", "year": 2015, "artifact_id": "00000000-0000-0000-0000-000000000003", "artifact_title": "A Big Data Modeling Methodology for Apache Cassandra", "artifact_type": "paper", "authors": ["Artem Chebotko", "Andrey Kashlev", "Shiyong Lu"], "keywords": null, "venue_name": "BigData Congress"}
		{"author": "Artem Chebotko", "year": 2015, "artifact_id": "00000000-0000-0000-0000-000000000003", "artifact_title": "A Big Data Modeling Methodology for Apache Cassandra", "artifact_type": "paper", "authors": ["Artem Chebotko", "Andrey Kashlev", "Shiyong Lu"], "keywords": null, "venue_name": "BigData Congress"}
		{"author": "Avinash Lakshman", "year": 2009, "artifact_id": "00000000-0000-0000-0000-000000000002", "artifact_title": "Cassandra: structured storage system on a P2P network", "artifact_type": "paper", "authors": ["Avinash Lakshman", "Prashant Malik"], "keywords": null, "venue_name": "PODC"}
		{"author": "Prashant Malik", "year": 2009, "artifact_id": "00000000-0000-0000-0000-000000000002", "artifact_title": "Cassandra: structured storage system on a P2P network", "artifact_type": "paper", "authors": ["Avinash Lakshman", "Prashant Malik"], "keywords": null, "venue_name": "PODC"}
		{"author": "Shiyong Lu", "year": 2015, "artifact_id": "00000000-0000-0000-0000-000000000003", "artifact_title": "A Big Data Modeling Methodology for Apache Cassandra", "artifact_type": "paper", "authors": ["Artem Chebotko", "Andrey Kashlev", "Shiyong Lu"], "keywords": null, "venue_name": "BigData Congress"}`)
	p.holds(t, "users_by_artifact", `
		{"artifact_id": "00000000-0000-0000-0000-000000000001", "user_id": "00000000-0000-0000-0000-000000000065", "areas_of_expertise": ["databases"], "artifact_title": "Cassandra: a decentralized structured storage system", "artifact_type": "article", "authors": ["Avinash Lakshman", "Prashant R. Malik"], "email": "maria@exemplo.br", "user_name": "Maria Souza", "venue_name": "ACM SIGOPS Operating Systems Review", "year": 2010}`)
	p.holds(t, "artifacts_by_user", `
		{"user_id": "00000000-0000-0000-0000-000000000065", "year": 2010, "artifact_id": "00000000-0000-0000-0000-000000000001", "artifact_title": "Cassandra: a decentralized structured storage system", "artifact_type": "article", "authors": ["Avinash Lakshman", "Prashant R. Malik"], "venue_name": "ACM SIGOPS Operating Systems Review"}`)
	p.holds(t, "experts_by_artifact", `
		{"artifact_id": "00000000-0000-0000-0000-000000000001", "area_of_expertise": "databases", "user_id": "00000000-0000-0000-0000-000000000065", "areas_of_expertise": ["databases"], "email": "maria@exemplo.br", "user_name": "Maria Souza"}`)
	p.holds(t, "venues_by_user", `
		{"user_id": "00000000-0000-0000-0000-000000000065", "venue_name": "PODC", "year": 2009, "country": "Canada", "homepage": "", "topics": ["distributed computing"]}`)
	p.holds(t, "reviews_by_user", `
		{"user_id": "00000000-0000-0000-0000-000000000065", "rating": 5, "review_id": "b282c080-e787-11f0-8080-808080808080", "artifact_id": "00000000-0000-0000-0000-000000000001", "body": "Read it first.", "review_title": "Clear", "written": "2026-01-02 03:04:05.000Z"}`)
	p.holds(t, "ratings_by_artifact", `
		{"artifact_id": "00000000-0000-0000-0000-000000000001", "num_ratings": 1, "sum_ratings": 5}`)
}
