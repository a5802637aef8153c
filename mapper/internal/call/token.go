package call

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// tokens convert the paging state of a query to text and back. A paging state contains the position in a table where a page
// ended, but not the query: another query would accept it without an error. So a token is bound to its query by a hash.
type tokens struct {
	seal     cipher.AEAD // nil: tokens are bound and checked for damage, but are neither secret nor protected against forgery
	keyspace string
}

// tokenKeySize is the key size of AES-256, in bytes.
const tokenKeySize = 32

func newTokens(key []byte) (tokens, error) {
	if key == nil {
		return tokens{}, nil
	}
	if len(key) != tokenKeySize {
		return tokens{}, fmt.Errorf("Config.TokenKey has %d bytes, not %d", len(key), tokenKeySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return tokens{}, err
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	return tokens{seal: seal}, err
}

// asked is the query that a token is bound to.
type asked struct {
	store.Read
	partitions []cell.Row // set for a query of several partitions
}

// write returns the token of a state; at the end of a query it is empty.
func (t tokens) write(q *asked, state []byte) string {
	if len(state) == 0 {
		return ""
	}
	var token []byte
	if t.seal != nil {
		token = t.seal.Seal(nil, nil, state, t.bind(q, nil))
	} else {
		token = append(t.bind(q, state), state...)
	}
	return base64.RawURLEncoding.EncodeToString(token)
}

// read returns the state of a token; an empty token is the beginning of a query.
func (t tokens) read(q *asked, token string) (state []byte, err error) {
	if token == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(token)
	switch {
	case err != nil || base64.RawURLEncoding.EncodeToString(b) != token: // decoding ignores line breaks and superfluous bits
		return nil, mapper.ErrPageToken
	case t.seal != nil:
		state, err = t.seal.Open(nil, nil, b, t.bind(q, nil))
	case len(b) > hashSize:
		state = b[hashSize:]
		if subtle.ConstantTimeCompare(b[:hashSize], t.bind(q, state)) == 0 {
			return nil, mapper.ErrPageToken
		}
	}
	if err != nil || len(state) == 0 {
		return nil, mapper.ErrPageToken
	}
	return state, nil
}

// hashSize is the number of bytes of the hash in a token.
const hashSize = 16

// bind returns a hash of a state and of everything that distinguishes a query from others. The selected columns are not included,
// so that a release that adds a column accepts the tokens of the previous release.
func (t tokens) bind(q *asked, state []byte) []byte {
	h := sha256.New()
	add := func(b []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	for _, s := range [...]string{t.keyspace, q.Table.Name, q.Restrictions()} {
		add([]byte(s))
	}
	for _, c := range q.Args() {
		add(c)
	}
	for _, key := range q.partitions {
		for _, c := range key {
			add(c)
		}
	}
	add(state)
	return h.Sum(make([]byte, 0, sha256.Size))[:hashSize]
}
