package recipes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/gocql/gocql"
)

// SetPicture is the write of the first release: to both places, in one batch.
func SetPicture(ctx context.Context, s *Store, id gocql.UUID, data []byte) error {
	b := s.Batch()
	b.People.SetPicture(id, data)
	b.Pictures.SetData(id, data)
	return b.Run(ctx)
}

// CopyPictures copies the pictures that were written before the first release. At the given time no process of the earlier release runs any more. It writes
// with that time, so it replaces nothing that is newer, and it can be repeated.
func CopyPictures(ctx context.Context, s *Store, ended time.Time) error {
	old := s.With(mapper.Options{Timestamp: ended.UnixMicro()})
	return s.People.Scan(ctx, mapper.ScanConfig{}, func(ctx context.Context, p *Person) error {
		if p.Picture == nil {
			return nil
		}
		_, err := old.Pictures.Import(ctx, &Picture{PersonID: p.ID, Data: p.Picture})
		return err
	})
}

// GetPicture is the read of the second release, after CopyPictures has ended.
func GetPicture(ctx context.Context, s *Store, id gocql.UUID) ([]byte, error) {
	p, err := s.Pictures.Get(ctx, id)
	if errors.Is(err, mapper.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.Data, nil
}

func split(ctx context.Context, s *Store, out io.Writer) error {
	ana, bia := number(1), number(2)
	for _, p := range []*Person{{ID: ana, Name: "Ana", Picture: []byte("old")}, {ID: bia, Name: "Bia", Picture: []byte("old")}} {
		if err := s.People.Insert(ctx, p); err != nil {
			return err
		}
	}
	ended := time.Now()
	if err := SetPicture(ctx, s, bia, []byte("new")); err != nil {
		return err
	}
	for range 2 {
		if err := CopyPictures(ctx, s, ended); err != nil {
			return err
		}
	}
	for _, id := range []gocql.UUID{ana, bia} {
		data, err := GetPicture(ctx, s, id)
		if err != nil {
			return err
		}
		p, err := s.People.Get(ctx, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s, the same in both tables: %v\n", p.Name, data, bytes.Equal(data, p.Picture))
	}
	return nil
}
