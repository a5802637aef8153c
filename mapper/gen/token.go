package gen

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// tokens turn the state of a query that is read page by page into text and back. A state says where in a table a page
// ended, not of which query: taken to another one it would silently read there. So a token has its query's statement and
// values in it, as a hash.
type tokens struct {
	seal cipher.AEAD // nil: tokens are only bound, neither secret nor safe from forgers
}

// tokenKeySize is that of AES-256.
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
	return tokens{seal}, err
}

// write gives the token of a state; the end of a query has none.
func (t tokens) write(q *store.Read, state []byte) string {
	if len(state) == 0 {
		return ""
	}
	of := identityOf(q)
	var token []byte
	if t.seal != nil {
		token = t.seal.Seal(nil, nil, state, of)
	} else {
		token = append(of, state...)
	}
	return base64.RawURLEncoding.EncodeToString(token)
}

// read gives the state of a token; no token is the beginning of a query.
func (t tokens) read(q *store.Read, token string) ([]byte, error) {
	if token == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return nil, mapper.ErrPageToken
	}
	of := identityOf(q)
	if t.seal != nil {
		state, err := t.seal.Open(nil, nil, b, of)
		if err != nil || len(state) == 0 {
			return nil, mapper.ErrPageToken
		}
		return state, nil
	}
	if len(b) <= len(of) || subtle.ConstantTimeCompare(b[:len(of)], of) == 0 {
		return nil, mapper.ErrPageToken
	}
	return b[len(of):], nil
}

// identityOf tells queries apart.
func identityOf(q *store.Read) []byte {
	h := sha256.New()
	add := func(b []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	add([]byte(q.Statement()))
	for _, c := range q.Args() {
		add(c)
	}
	return h.Sum(make([]byte, 0, sha256.Size))[:16]
}
