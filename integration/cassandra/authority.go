package cassandra

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Authority issues certificates for tests. Its files are ca.pem and ca.key in a folder.
type Authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority creates an authority in a folder.
func NewAuthority(dir string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	a := &Authority{dir: dir, key: key}
	a.cert = newCertificate("cassaml tests", time.Now().AddDate(1, 0, 0))
	a.cert.IsCA, a.cert.BasicConstraintsValid, a.cert.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return a, writePair(dir, "ca", der, key)
}

// OpenAuthority returns the authority in a folder.
func OpenAuthority(dir string) (*Authority, error) {
	a := &Authority{dir: dir}
	cert, err := readPEM(filepath.Join(dir, "ca.pem"))
	if err != nil {
		return nil, err
	}
	if a.cert, err = x509.ParseCertificate(cert); err != nil {
		return nil, err
	}
	text, err := readPEM(filepath.Join(dir, "ca.key"))
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(text)
	if err != nil {
		return nil, err
	}
	a.key = key.(*ecdsa.PrivateKey)
	return a, nil
}

// CA returns the file with the certificate of the authority.
func (a *Authority) CA() string { return filepath.Join(a.dir, "ca.pem") }

// Issue writes a certificate and its key into a folder, as name.pem and name.key. It is valid until a time for the names and addresses of a
// server, and for a client.
func (a *Authority) Issue(dir, name string, until time.Time, hosts ...string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	cert := newCertificate(name, until)
	cert.KeyUsage = x509.KeyUsageDigitalSignature
	cert.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			cert.IPAddresses = append(cert.IPAddresses, ip)
		} else {
			cert.DNSNames = append(cert.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, key.Public(), a.key)
	if err != nil {
		return err
	}
	return writePair(dir, name, der, key)
}

// newCertificate returns a certificate that is valid since two days ago.
func newCertificate(name string, until time.Time) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62)) // crypto/rand returns no error
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().AddDate(0, 0, -2), NotAfter: until}
}

func writePair(dir, name string, cert []byte, key *ecdsa.PrivateKey) error {
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600)
}

func readPEM(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	return slices.Clone(block.Bytes), nil
}

// writeCertificates writes an authority, and the files of a node of it: node.pem with its key, and client.pem with client.key.
func writeCertificates(dir, address string) error {
	a, err := NewAuthority(dir)
	if err != nil {
		return err
	}
	until := time.Now().AddDate(1, 0, 0)
	if err := a.Issue(dir, "client", until); err != nil {
		return err
	}
	if err := a.Issue(dir, "node", until, address, "localhost"); err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(dir, "node.key"))
	if err != nil {
		return err
	}
	cert, err := os.ReadFile(filepath.Join(dir, "node.pem"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "pair.pem"), slices.Concat(key, cert), 0o600)
}
