package unique

import "github.com/cassaml/cassaml/aml"

type Owner struct {
	aml.Aggregate `aml:"owners"`

	ID      int32  `aml:",identifier"`
	A       One    `aml:",composition"`
	AB      Two    `aml:",composition"`
	House   string `aml:",unique"`
	Version int64  `aml:",version"`
}

type One struct {
	BC string `aml:",unique"`
}

type Two struct {
	C string `aml:",unique"`
}

type Get struct {
	aml.Aggregate `aml:"get"`

	House int32 `aml:",identifier,association=Owner"`
	Day   int32 `aml:",discriminator"`
}
