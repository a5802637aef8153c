package examples

import (
	"testing"

	approach6 "github.com/cassaml/cassaml/examples/vehicles/approach6/fleet"
	approach6checked "github.com/cassaml/cassaml/examples/vehicles/approach6checked/fleet"
	approach7 "github.com/cassaml/cassaml/examples/vehicles/approach7/fleet"
	approach7checked "github.com/cassaml/cassaml/examples/vehicles/approach7checked/fleet"
	approach8 "github.com/cassaml/cassaml/examples/vehicles/approach8/fleet"
	approach8unique "github.com/cassaml/cassaml/examples/vehicles/approach8unique/fleet"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// The vehicles are a second read, and orphans are possible.
func TestApproach6(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach6.Schema, approach6.Demo)
	p.sent(t, `
		1: write veiculos
		1: write veiculos
		1: write veiculos
		1: write veiculos
		2: write clientes
		2: write clientes
		3: read clientes
		3: read veiculos
		3: read veiculos
		4: write veiculos
		5: [[write clientes, write clientes]]
		6: delete veiculos
		7: read clientes
		7: read veiculos
		8: write clientes`)
	p.says(t, `
		client 1, João Silva, refers to [ABC1234 DEF5678]
		vehicle ABC1234 is Azul
		vehicle DEF5678 is Preto
		client 2, Maria Souza, refers to [GHI9012]
		mapper: Cliente (clientes id=2): VeiculosIDs[0] refers to Veiculo placa='GHI9012': not found`)
	p.holds(t, "clientes", `
		{"id": 1, "nome": "João Silva", "veiculos_ids": ["ABC1234", "DEF5678", "JKL3456"]}
		{"id": 2, "nome": "Maria Souza", "veiculos_ids": null}`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cor": "Verde"}
		{"placa": "DEF5678", "cor": "Preto"}
		{"placa": "JKL3456", "cor": "Branco"}`)
}

// A plate of a vehicle that does not exist is refused, and so is the deletion of a vehicle that a client refers to.
func TestApproach6Checked(t *testing.T) {
	p := run(t, approach6checked.Schema, approach6checked.Demo)
	p.sent(t, `
		1: compare and set veiculos
		1: compare and set veiculos
		2: [[write clientes__veiculos_ids_refs, write clientes__veiculos_ids_refs]]
		2: read veiculos
		2: read veiculos
		3: write clientes__veiculos_ids_refs
		3: read veiculos
		3: compare and set clientes
		3: write clientes__sync
		4: read veiculos
		4: compare and set veiculos
		4: read clientes__veiculos_ids_refs
		4: read clientes
		4: compare and set veiculos
		5: read clientes
		5: compare and set clientes
		5: [[delete clientes__veiculos_ids_refs, write clientes__sync]]
		5: read veiculos
		5: compare and set veiculos
		5: read clientes__veiculos_ids_refs
		5: compare and set veiculos`)
	p.says(t, `
		mapper: Insert Cliente (clientes id=2): VeiculosIDs is a reference, and there is no Veiculo (veiculos placa='XYZ0000')
		mapper: Delete Veiculo (veiculos placa='GHI9012'): Cliente (clientes id=2) refers to it by VeiculosIDs: delete that first, or let it refer to another`)
}

// The client is a second read, and orphans are possible.
func TestApproach7(t *testing.T) {
	p := run(t, approach7.Schema, approach7.Demo)
	p.sent(t, `
		1: write clientes
		1: write clientes
		2: write veiculos
		2: write veiculos
		2: write veiculos
		2: write veiculos
		3: read veiculos
		3: read clientes
		4: write clientes
		5: write veiculos
		6: read veiculos
		6: read clientes
		7: delete clientes
		8: read veiculos
		8: read clientes
		9: write veiculos`)
	p.says(t, `
		vehicle ABC1234 refers to client 1
		client 1 is João Silva
		vehicle JKL3456 refers to client 1
		client 1 is João da Silva
		vehicle GHI9012 refers to client 2
		mapper: Veiculo (veiculos placa='GHI9012'): IDCliente refers to Cliente id=2: not found`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cor": "Azul", "id_cliente": 1}
		{"placa": "DEF5678", "cor": "Preto", "id_cliente": 1}
		{"placa": "GHI9012", "cor": "Vermelho", "id_cliente": null}
		{"placa": "JKL3456", "cor": "Branco", "id_cliente": 1}`)
	p.holds(t, "clientes", `
		{"id": 1, "nome": "João da Silva"}`)
}

// A client that does not exist is refused, and the deletion of a client clears the key in its vehicles.
func TestApproach7Checked(t *testing.T) {
	p := run(t, approach7checked.Schema, approach7checked.Demo)
	p.sent(t, `
		1: write veiculos__id_cliente_refs
		1: read clientes
		2: compare and set clientes
		2: write veiculos__id_cliente_refs
		2: read clientes
		2: compare and set veiculos
		2: write veiculos__sync
		3: read clientes
		3: write aml_outboxes
		3: compare and set clientes
		3: read veiculos__id_cliente_refs
		3: read veiculos
		3: read veiculos
		3: compare and set veiculos
		3: [[delete veiculos__id_cliente_refs, write veiculos__sync]]
		3: compare and set clientes
		3: delete aml_outboxes
		4: read veiculos`)
	p.says(t, `
		mapper: Insert Veiculo (veiculos placa='GHI9012'): IDCliente is a reference, and there is no Cliente (clientes id=2)
		vehicle GHI9012 has no owner: true`)
	p.holds(t, "veiculos__id_cliente_refs", "")
}

// N:M: both sides find their pairs, which are inserted and deleted in both tables in one logged batch.
func TestApproach8(t *testing.T) {
	p := run(t, approach8.Schema, approach8.Demo)
	p.sent(t, `
		1: write clientes
		1: write clientes
		1: write veiculos
		1: write veiculos
		1: write veiculos
		1: write veiculos
		2: [[write clientes_veiculos, write veiculos_clientes]]
		2: [[write clientes_veiculos, write veiculos_clientes]]
		2: [[write clientes_veiculos, write veiculos_clientes]]
		2: [[write clientes_veiculos, write veiculos_clientes]]
		3: [[write clientes_veiculos, write veiculos_clientes]]
		4: read clientes_veiculos
		4: read veiculos
		4: read veiculos
		4: read veiculos
		5: read veiculos_clientes
		5: read clientes
		5: read clientes
		6: [[delete clientes_veiculos, delete veiculos_clientes]]`)
	p.says(t, `
		client 2 has ABC1234, Azul
		client 2 has GHI9012, Vermelho
		client 2 has JKL3456, Branco
		ABC1234 is of client 1, João Silva
		ABC1234 is of client 2, Maria Souza`)
	p.holds(t, "clientes", `
		{"id": 1, "nome": "João Silva"}
		{"id": 2, "nome": "Maria Souza"}`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cor": "Azul"}
		{"placa": "DEF5678", "cor": "Preto"}
		{"placa": "GHI9012", "cor": "Vermelho"}
		{"placa": "JKL3456", "cor": "Branco"}`)
	p.holds(t, "clientes_veiculos", `
		{"id_cliente": 1, "placa": "DEF5678"}
		{"id_cliente": 2, "placa": "ABC1234"}
		{"id_cliente": 2, "placa": "GHI9012"}
		{"id_cliente": 2, "placa": "JKL3456"}`)
	p.holds(t, "veiculos_clientes", `
		{"placa": "ABC1234", "id_cliente": 2}
		{"placa": "DEF5678", "id_cliente": 1}
		{"placa": "GHI9012", "id_cliente": 2}
		{"placa": "JKL3456", "id_cliente": 2}`)
}

// A vehicle is in one pair: the second one, which the program of approach 8 inserts, is refused, and a sale moves the pair.
func TestApproach8Unique(t *testing.T) {
	p := run(t, approach8unique.Schema, approach8unique.Demo)
	p.sent(t, `
		1: write clientes
		1: write clientes
		1: write veiculos
		2: compare and set veiculos_clientes
		2: [[write clientes_veiculos, write veiculos_clientes__sync]]
		3: compare and set veiculos_clientes
		3: read veiculos_clientes
		4: read veiculos_clientes
		4: compare and set veiculos_clientes
		4: [[delete clientes_veiculos, write clientes_veiculos, write veiculos_clientes__sync]]
		5: read clientes_veiculos
		5: read clientes_veiculos`)
	p.says(t, `
		mapper: Insert VeiculoCliente (veiculos_clientes placa='ABC1234'): already exists
		vehicles of client 1: 0
		vehicles of client 2: 1`)
	p.holds(t, "clientes_veiculos", `
		{"id_cliente": 2, "placa": "ABC1234"}`)
}
