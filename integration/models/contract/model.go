// Package contract has versioned roots with fields that follow fields of another root, and that stay as they are when it is deleted.
package contract

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Client is a target: contracts have its name and its city.
type Client struct {
	aml.Aggregate `aml:"clients"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name,required"`
	City    *string `aml:"city"`
	Note    string  `aml:"note"`
	Version int64   `aml:"version,version"`
}

// Office is another target. All contracts that refer to an office can outlive it.
type Office struct {
	aml.Aggregate `aml:"offices"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name"`
	Version int64  `aml:"version,version"`
}

// Contract follows two clients and an office, and refers to a third client. The office and the first client can be deleted while the contract refers to
// them; the third is cleared then.
type Contract struct {
	aml.Aggregate `aml:"contracts"`

	ID         int32   `aml:"id,identifier"`
	Name       string  `aml:"name"`
	Client     int32   `aml:"client,association=Client,rows=100000"`
	ClientName string  `aml:"client_name,required,copy=Client.Name,ondelete=keep"`
	ClientCity *string `aml:"client_city,copy=Client.City"`
	Agent      *int32  `aml:"agent,association=Client"`
	AgentName  *string `aml:"agent_name,copy=Client.Name"`
	Heir       *int32  `aml:"heir,association=Client,checked,ondelete=clear"`
	Office     *int32  `aml:"office,association=Office"`
	OfficeName *string `aml:"office_name,copy=Office.Name,ondelete=keep"`
	Version    int64   `aml:"version,version"`
}

// ContractByCity is a copy of a contract, which moves when its client moves.
type ContractByCity struct {
	aml.Aggregate `aml:"contracts_by_city,redundant=Contract,when=Contract.ClientCity"`

	ClientCity string `aml:"client_city,identifier"`
	ID         int32  `aml:"id,discriminator"`
	ClientName string `aml:"client_name"`
}
