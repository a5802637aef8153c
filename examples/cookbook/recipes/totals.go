package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// ErrReviewed is returned by AddReview if the person has reviewed the product before.
var ErrReviewed = errors.New("you have reviewed this product")

// AddReview inserts a review, and changes the totals and the newest reviews of its product in the same conditional save: they are exact, however many
// clients write.
func AddReview(ctx context.Context, s *Store, r *Review) error {
	_, err := s.Products.Update(ctx, r.ProductID, func(p *Product, parts *ProductParts) error {
		parts.Review.Insert(r)
		p.Reviews++
		p.Stars += int64(r.Stars)
		p.Newest = slices.Insert(p.Newest, 0, Opinion{By: r.By, Stars: r.Stars, Text: r.Text})
		p.Newest = p.Newest[:min(len(p.Newest), 10)]
		return nil
	})
	if errors.Is(err, mapper.ErrExists) {
		return ErrReviewed
	}
	return err
}

// ProductPage returns the values that the page of a product shows: one read.
func ProductPage(ctx context.Context, s *Store, id gocql.UUID) (*Product, error) {
	return s.Products.Get(ctx, id)
}

func totals(ctx context.Context, s *Store, out io.Writer) error {
	id := number(1)
	if err := s.Products.Insert(ctx, &Product{ID: id, Name: "kettle"}); err != nil {
		return err
	}
	for i := range 12 {
		if err := AddReview(ctx, s, &Review{ProductID: id, By: fmt.Sprintf("user %02d", i+1), Stars: int32(i%5 + 1)}); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "once more:", AddReview(ctx, s, &Review{ProductID: id, By: "user 03", Stars: 1}))
	p, err := ProductPage(ctx, s, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d reviews, %d stars; the newest %d, first of %s\n", p.Reviews, p.Stars, len(p.Newest), p.Newest[0].By)
	return nil
}
