package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/model"
)

// These are the default names of columns, types and tables. They must never change, because data is stored under them.
func TestSnakeCase(t *testing.T) {
	for name, want := range map[string]string{
		"A": "a", "ID": "id", "Name": "name", "VenueName": "venue_name", "UserID": "user_id", "UserId": "user_id", "IDCard": "id_card",
		"HTTPServer": "http_server", "HTTPSProxy": "https_proxy", "HTTP2Server": "http2_server", "HTTP": "http",
		"UserIDs": "user_ids", "IDs": "ids", "IDsOfUsers": "ids_of_users", "ImageURLs": "image_urls", "UUIDs": "uuids", "APIsUsed": "apis_used",
		"IDset": "i_dset", "Identity": "identity", "Ident": "ident", "IPv4": "ipv4", "IPv6Address": "ipv6_address", "HostIP": "host_ip",
		"Address2": "address2", "ID2": "id2", "Line1ID": "line1_id", "UTF8": "utf8", "SHA256Sum": "sha256_sum", "A1B2": "a1_b2", "MP3Files": "mp3_files",
		"XMLHTTPRequest": "xml_http_request", "HTTPURL": "http_url", "UserIDURL": "user_id_url", "JSONAPI": "json_api", "AB": "ab", "ABTest": "ab_test",
		"ÑandúID": "ñandú_id", "Ñ": "ñ", "IDÑandú": "id_ñandú", "CaféÉtoile": "café_étoile", "ΑΒγ": "α_βγ",
		"Foo_Bar": "foo_bar", "Foo__ID": "foo_id", "Foo_": "foo", "FooBAR": "foo_bar", "AnISBN": "an_isbn", "MacOS": "mac_os", "TTL": "ttl",
	} {
		require.Equal(t, want, model.SnakeCase(name), name)
	}
}

func TestCamelCase(t *testing.T) {
	for name, want := range map[string]string{
		"customers": "Customers", "artifacts_by_venue": "ArtifactsByVenue", "user_ids": "UserIDs", "user_id": "UserID", "http_logs": "HTTPLogs",
		"apis": "APIs", "uuids_2": "UUIDs2", "Users": "Users", "_id": "ID", "a_b": "AB", "a__b": "AB", "address2": "Address2", "2fa": "2fa", "___": "", "": "",
	} {
		require.Equal(t, want, model.CamelCase(name), name)
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"name": "name", "a1_b2": "a1_b2", "text": "text", "order": `"order"`, "Order": `"Order"`, "_id": `"_id"`, "1st": `"1st"`,
		"a-b": `"a-b"`, "a b": `"a b"`, `a"b`: `"a""b"`, "ñ": `"ñ"`, "": `""`, "nan": `"nan"`, "vector": "vector", "key": "key", "token": `"token"`,
	} {
		require.Equal(t, want, model.Quote(name), name)
	}
}

// Every reserved word of CQL is quoted; every other word is unchanged.
func TestQuoteReserved(t *testing.T) {
	for _, w := range strings.Fields(`add allow alter and apply asc authorize batch begin by columnfamily create delete desc describe drop
		entries execute false from full grant if in index infinity insert into is keyspace limit materialized modify nan norecursive not null of on
		or order primary rename revoke schema select set table to token true truncate unlogged update use using view where with`) {
		require.Equal(t, `"`+w+`"`, model.Quote(w))
	}
}

// The default name for any ASCII Go name is a plain identifier, and is its own snake case.
func TestSnakeCaseIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Z][A-Za-z0-9_]{0,12}`).Draw(t, "name")
		got := model.SnakeCase(name)
		require.Regexp(t, `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, got)
		require.Equal(t, strings.ToLower(strings.ReplaceAll(name, "_", "")), strings.ReplaceAll(got, "_", ""))
	})
}

func TestNearestOption(t *testing.T) {
	for text, want := range map[string]string{
		"identifer": "did you mean identifier?", "Required": "did you mean required?", "requried": "did you mean required?", "uniq": "did you mean unique?",
		"discriminater": "did you mean discriminator?", "finl": "did you mean final?", "acs": "did you mean asc?", "tpye=ascii": "did you mean type?",
		"composed": "the options allowed on a field are ", "frozen": "did you mean final?", "primaryKey": "did you mean identifier?", "x": "the options allowed on a field are ",
		"redundnat=A": "the options allowed on a field are ", // an option of a marker is not suggested here
	} {
		for _, f := range tagFaults("id,identifier," + text) {
			require.Equal(t, model.RuleUnknownOption, f.Rule, text)
			require.True(t, strings.HasPrefix(f.Fix, want), "%s: %s", text, f.Fix)
			want = ""
		}
		require.Empty(t, want, "%s is not reported", text)
	}
}
