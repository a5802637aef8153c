package shipment

import (
	"time"

	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml"
)

// Offer is a product of a shop with a price. Its keys, sets and maps contain values that Cassandra treats as equal in several encodings:
// decimals of different scales and NaNs. It also has such values inside a frozen UDT.
type Offer struct {
	aml.Aggregate `aml:"offers"`

	Shop    string             `aml:"shop,identifier"`
	Price   *inf.Dec           `aml:"price,discriminator"`
	Weight  float64            `aml:"weight,discriminator"`
	Amount  *inf.Dec           `aml:"amount,required"`
	Rates   []*inf.Dec         `aml:"rates,unique,max=9"`
	Levels  map[float64]string `aml:"levels,max=9"`
	Bundle  Bundle             `aml:"bundle,composition,final"`
	Bundles []Bundle           `aml:"bundles,composition,final,unique,max=9"`
	Day     time.Time          `aml:"day,type=date"`
	Card    *string            `aml:"card,xor=Means"`
	Cash    *int64             `aml:"cash,xor=Means"`
}

// Bundle has sets and maps inside a frozen UDT.
type Bundle struct {
	Numbers map[int32]struct{}
	Names   map[int32]string
	Total   *inf.Dec
}

// OfferByAmount finds an offer by a value that keeps its scale in the root.
type OfferByAmount struct {
	aml.Aggregate `aml:"offers_by_amount,redundant=Offer"`

	Amount *inf.Dec  `aml:"amount,identifier"`
	Shop   string    `aml:"shop,discriminator"`
	Price  *inf.Dec  `aml:"price,discriminator"`
	Weight float64   `aml:"weight,discriminator"`
	Day    time.Time `aml:"day,type=date"`
}

// OfferByRate has a row for each rate of an offer.
type OfferByRate struct {
	aml.Aggregate `aml:"offers_by_rate,redundant=Offer.Rates"`

	Rate   *inf.Dec  `aml:"rate,identifier,from=Offer.Rates.$value"`
	Shop   string    `aml:"shop,discriminator,from=Offer.Shop"`
	Price  *inf.Dec  `aml:"price,discriminator,from=Offer.Price"`
	Weight float64   `aml:"weight,discriminator,from=Offer.Weight"`
	Day    time.Time `aml:"day,type=date,from=Offer.Day"`
}
