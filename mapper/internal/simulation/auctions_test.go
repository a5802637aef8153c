package simulation

import (
	"context"
	"fmt"
	"iter"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/sale"
	"github.com/cassaml/cassaml/mapper"
)

// auctions is a store of auctions and their bids, in one of two layouts: without head rows, or as sales and offers with head rows.
type auctions interface {
	With(o mapper.Options) auctions
	Get(ctx context.Context, id int32) (*auction.Auction, error)
	GetWithBid(ctx context.Context, id int32) (*auction.Auction, []*auction.Bid, error)
	PageWithBid(ctx context.Context, id int32) (*auction.Auction, mapper.Page[auction.Bid], error)
	Bids(ctx context.Context, id int32) iter.Seq2[*auction.Bid, error]
	GetCopy(ctx context.Context, seller string, id int32) error
	Insert(ctx context.Context, a *auction.Auction) error
	InsertWith(ctx context.Context, a *auction.Auction, rows ...*auction.Bid) error
	Put(ctx context.Context, a *auction.Auction) error
	Update(ctx context.Context, id int32, change func(*auction.Auction, bids) error) error
	Upsert(ctx context.Context, id int32, change func(*auction.Auction, bids, bool) error) error
	Delete(ctx context.Context, id int32) error
	DeleteAt(ctx context.Context, id int32, version int64) error
	ReconcileAll(ctx context.Context, config mapper.ReconcileConfig) error
	ReconcileOne(ctx context.Context, id int32, config mapper.ReconcileConfig, known *auction.Auction) error
}

// bids are the bids of an auction in the function of Update.
type bids interface {
	Get(cents int64, bidder string) (*auction.Bid, error)
	Insert(*auction.Bid)
	Put(*auction.Bid)
	Change(old, new *auction.Bid)
	Delete(cents int64, bidder string)
	DeleteFrom(cents int64)
	DeleteRange(cents, before int64)
}

// plainAuctions are auctions without head rows.
type plainAuctions struct {
	auction.AuctionsTable
	store *auction.Store
}

func newPlainAuctions(s *auction.Store) plainAuctions { return plainAuctions{s.Auctions, s} }

func (s plainAuctions) With(o mapper.Options) auctions { return newPlainAuctions(s.store.With(o)) }

func (s plainAuctions) PageWithBid(ctx context.Context, id int32) (*auction.Auction, mapper.Page[auction.Bid], error) {
	return s.OfWithBid(id).Page(ctx, "")
}

func (s plainAuctions) Bids(ctx context.Context, id int32) iter.Seq2[*auction.Bid, error] {
	return s.store.Bid.Of(id).All(ctx)
}

func (s plainAuctions) GetCopy(ctx context.Context, seller string, id int32) error {
	_, err := s.store.AuctionsBySeller.Get(ctx, seller, id)
	return err
}

func (s plainAuctions) Update(ctx context.Context, id int32, change func(*auction.Auction, bids) error) error {
	_, err := s.AuctionsTable.Update(ctx, id, func(a *auction.Auction, p *auction.AuctionParts) error { return change(a, plainBids{p.Bid}) })
	return err
}

func (s plainAuctions) Upsert(ctx context.Context, id int32, change func(*auction.Auction, bids, bool) error) error {
	_, err := s.AuctionsTable.Upsert(ctx, id, func(a *auction.Auction, p *auction.AuctionParts, exists bool) error {
		return change(a, plainBids{p.Bid}, exists)
	})
	return err
}

func (s plainAuctions) ReconcileAll(ctx context.Context, config mapper.ReconcileConfig) error {
	_, err := s.store.Reconcile(ctx, config)
	return err
}

func (s plainAuctions) ReconcileOne(ctx context.Context, id int32, config mapper.ReconcileConfig, known *auction.Auction) error {
	_, err := s.Reconcile(ctx, id, config, known)
	return err
}

// plainBids are bids without head rows.
type plainBids struct{ auction.BidParts }

func (p plainBids) DeleteFrom(cents int64) { p.Of().CentsFrom(cents).Delete() }

func (p plainBids) DeleteRange(cents, before int64) {
	p.Of().CentsFrom(cents).CentsBefore(before).Delete()
}

// sales are auctions with head rows.
type sales struct{ store *sale.Store }

func (s sales) With(o mapper.Options) auctions { return sales{s.store.With(o)} }

func (s sales) Get(ctx context.Context, id int32) (*auction.Auction, error) {
	a, err := s.store.Sales.Get(ctx, id)
	return (*auction.Auction)(a), err
}

func (s sales) GetWithBid(ctx context.Context, id int32) (*auction.Auction, []*auction.Bid, error) {
	a, rows, err := s.store.Sales.GetWithOffer(ctx, id)
	return (*auction.Auction)(a), newBids(rows), err
}

func (s sales) PageWithBid(ctx context.Context, id int32) (*auction.Auction, mapper.Page[auction.Bid], error) {
	a, page, err := s.store.Sales.OfWithOffer(id).Page(ctx, "")
	return (*auction.Auction)(a), mapper.Page[auction.Bid]{Items: newBids(page.Items), Next: page.Next}, err
}

// Bids yields the bids of an auction, and an error if a scan, a count or a limit does not agree with them.
func (s sales) Bids(ctx context.Context, id int32) iter.Seq2[*auction.Bid, error] {
	return func(yield func(*auction.Bid, error) bool) {
		rows, last := 0, (*sale.Offer)(nil)
		for o, err := range s.store.Offer.Of(id).All(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			rows, last = rows+1, o
			if !yield(newBid(o), nil) {
				return
			}
		}
		if err := s.compareReads(ctx, id, rows, last); err != nil {
			yield(nil, err)
		}
	}
}

// compareReads compares other reads of the bids of an auction with their number and the last one.
func (s sales) compareReads(ctx context.Context, id int32, rows int, last *sale.Offer) error {
	n, err := s.store.Offer.Of(id).Count(ctx)
	if err == nil && n != rows {
		err = fmt.Errorf("a count of %d rows is %d", rows, n)
	}
	if err != nil {
		return err
	}
	for o, err := range s.store.Offer.Of(id).Reverse().Limit(1).All(ctx) {
		if err == nil && (last == nil || o.Cents != last.Cents) {
			err = fmt.Errorf("the last row is %v, not %v", o, last)
		}
		if err != nil {
			return err
		}
		last = nil
	}
	if last != nil {
		return fmt.Errorf("the last row %v is missing", last)
	}
	scanned := 0
	for o, err := range s.store.Offer.All(ctx, mapper.ScanConfig{}) {
		if err != nil {
			return err
		}
		if o.SaleID == id {
			scanned++
		}
	}
	if scanned != rows {
		return fmt.Errorf("a scan of %d rows has returned %d", rows, scanned)
	}
	return nil
}

func (s sales) GetCopy(ctx context.Context, seller string, id int32) error {
	_, err := s.store.SalesBySeller.Get(ctx, seller, id)
	return err
}

func (s sales) Insert(ctx context.Context, a *auction.Auction) error {
	return s.store.Sales.Insert(ctx, (*sale.Sale)(a))
}

func (s sales) InsertWith(ctx context.Context, a *auction.Auction, rows ...*auction.Bid) error {
	var offers []*sale.Offer
	for _, b := range rows {
		offers = append(offers, newOffer(b))
	}
	return s.store.Sales.InsertWith(ctx, (*sale.Sale)(a), offers...)
}

func (s sales) Put(ctx context.Context, a *auction.Auction) error {
	return s.store.Sales.Put(ctx, (*sale.Sale)(a))
}

func (s sales) Update(ctx context.Context, id int32, change func(*auction.Auction, bids) error) error {
	_, err := s.store.Sales.Update(ctx, id, func(a *sale.Sale, p *sale.SaleParts) error { return change((*auction.Auction)(a), offers{p.Offer}) })
	return err
}

func (s sales) Upsert(ctx context.Context, id int32, change func(*auction.Auction, bids, bool) error) error {
	_, err := s.store.Sales.Upsert(ctx, id, func(a *sale.Sale, p *sale.SaleParts, exists bool) error {
		return change((*auction.Auction)(a), offers{p.Offer}, exists)
	})
	return err
}

func (s sales) Delete(ctx context.Context, id int32) error { return s.store.Sales.Delete(ctx, id) }

func (s sales) DeleteAt(ctx context.Context, id int32, version int64) error {
	return s.store.Sales.DeleteAt(ctx, id, version)
}

func (s sales) ReconcileAll(ctx context.Context, config mapper.ReconcileConfig) error {
	_, err := s.store.Reconcile(ctx, config)
	return err
}

func (s sales) ReconcileOne(ctx context.Context, id int32, config mapper.ReconcileConfig, known *auction.Auction) error {
	_, err := s.store.Sales.Reconcile(ctx, id, config, (*sale.Sale)(known))
	return err
}

// offers are bids with head rows.
type offers struct{ p sale.OfferParts }

func (p offers) Get(cents int64, bidder string) (*auction.Bid, error) {
	o, err := p.p.Get(cents, bidder)
	if err != nil {
		return nil, err
	}
	return newBid(o), nil
}

func (p offers) Insert(b *auction.Bid)             { p.p.Insert(newOffer(b)) }
func (p offers) Put(b *auction.Bid)                { p.p.Put(newOffer(b)) }
func (p offers) Change(old, new *auction.Bid)      { p.p.Change(newOffer(old), newOffer(new)) }
func (p offers) Delete(cents int64, bidder string) { p.p.Delete(cents, bidder) }
func (p offers) DeleteFrom(cents int64)            { p.p.Of().CentsFrom(cents).Delete() }
func (p offers) DeleteRange(cents, before int64) {
	p.p.Of().CentsFrom(cents).CentsBefore(before).Delete()
}

func newOffer(b *auction.Bid) *sale.Offer {
	return &sale.Offer{SaleID: b.AuctionID, Cents: b.Cents, Bidder: b.Bidder, Note: b.Note}
}

func newBid(o *sale.Offer) *auction.Bid {
	return &auction.Bid{AuctionID: o.SaleID, Cents: o.Cents, Bidder: o.Bidder, State: auction.Active, Note: o.Note}
}

func newBids(rows []*sale.Offer) (out []*auction.Bid) {
	for _, o := range rows {
		out = append(out, newBid(o))
	}
	return out
}
