package cell_test

import (
	"testing"
	"time"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// order is a row of twelve columns, with a UDT and a list of UDTs.
type order struct {
	ID        [16]byte
	Bucket    int32
	Name      string
	Email     string
	Age       int32
	Balance   int64
	Score     float64
	Active    bool
	CreatedAt time.Time
	Payload   []byte
	Address   address
	Items     []item
}

type address struct {
	Street, City string
	Zip          int32
	Lat, Lon     float64
}

type item struct {
	SKU   string
	Qty   int32
	Price int64
	Note  string
}

func encodeAddress(e *cell.Encoder, v *address) {
	e.Text(v.Street)
	e.Text(v.City)
	e.Int(v.Zip)
	e.Double(v.Lat)
	e.Double(v.Lon)
}

func decodeAddress(d *cell.Decoder, v *address) {
	v.Street = d.Text()
	v.City = d.Text()
	v.Zip = d.Int()
	v.Lat = d.Double()
	v.Lon = d.Double()
}

func encodeItem(e *cell.Encoder, v *item) {
	e.Text(v.SKU)
	e.Int(v.Qty)
	e.Bigint(v.Price)
	e.Text(v.Note)
}

func decodeItem(d *cell.Decoder, v *item) {
	v.SKU = d.Text()
	v.Qty = d.Int()
	v.Price = d.Bigint()
	v.Note = d.Text()
}

func encodeOrder(e *cell.Encoder, v *order) {
	e.UUID(v.ID)
	e.Int(v.Bucket)
	e.Text(v.Name)
	e.Text(v.Email)
	e.Int(v.Age)
	e.Bigint(v.Balance)
	e.Double(v.Score)
	e.Boolean(v.Active)
	e.Timestamp(v.CreatedAt)
	e.Blob(v.Payload)
	cell.EncodeStruct(e, &v.Address, encodeAddress)
	cell.EncodeStructs(e, v.Items, encodeItem)
}

func decodeOrder(d *cell.Decoder, v *order) {
	v.ID = d.UUID()
	v.Bucket = d.Int()
	v.Name = d.Text()
	v.Email = d.Text()
	v.Age = d.Int()
	v.Balance = d.Bigint()
	v.Score = d.Double()
	v.Active = d.Boolean()
	v.CreatedAt = d.Timestamp()
	v.Payload = d.Blob()
	cell.DecodeStruct(d, &v.Address, decodeAddress)
	v.Items = cell.DecodeStructs(d, decodeItem)
}

func newOrder() *order {
	o := &order{[16]byte{1}, 7, "Ada Lovelace King", "ada.lovelace@example.com", 36, 123456789, 4.25, true,
		time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC), make([]byte, 64),
		address{"12 St James's Square", "London", 10115, 51.5, -0.13}, nil}
	for i := range int32(5) {
		o.Items = append(o.Items, item{"SKU-000123", i, 1999, "gift wrapped"})
	}
	return o
}

func BenchmarkEncode(b *testing.B) {
	o := newOrder()
	b.ReportAllocs()
	for b.Loop() {
		var e cell.Encoder
		e.Use(make([]byte, 0, 640))
		encodeOrder(&e, o)
		if row, err := e.Cells(make(cell.Row, 0, 12)); err != nil || len(row) != 12 {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecode reads the rows of a page of 100.
func BenchmarkDecode(b *testing.B) {
	var e cell.Encoder
	encodeOrder(&e, newOrder())
	row, err := e.Cells(nil)
	if err != nil {
		b.Fatal(err)
	}
	page := make([]order, 100)
	b.ReportAllocs()
	for b.Loop() {
		var d cell.Decoder
		for i := range page {
			page[i] = order{}
			d.Row(row)
			if decodeOrder(&d, &page[i]); d.Err() != nil {
				b.Fatal(d.Err())
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/row")
}

func BenchmarkEncodeSet(b *testing.B) {
	set := map[string]struct{}{"one": {}, "two": {}, "three": {}, "four": {}, "five": {}}
	e := &cell.Encoder{}
	storage := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		e.Use(storage)
		cell.EncodeSet(e, set, (*cell.Encoder).Text)
	}
}
