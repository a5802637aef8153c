package examples

import (
	"testing"

	approach4 "github.com/cassaml/cassaml/examples/vehicles/approach4/fleet"
	approach5 "github.com/cassaml/cassaml/examples/vehicles/approach5/fleet"
	approach5versioned "github.com/cassaml/cassaml/examples/vehicles/approach5versioned/fleet"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// One row for a vehicle with its client; a renamed client has two names until the application has written all vehicles.
func TestApproach4(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach4.Schema, approach4.Demo)
	p.sent(t, `
		1: write veiculos
		1: write veiculos
		1: write veiculos
		1: write veiculos
		2: read veiculos
		3: read veiculos
		4: write veiculos
		5: read veiculos
		5: write veiculos
		6: read veiculos
		6: read veiculos
		7: read veiculos
		7: read veiculos
		7: read veiculos
		7: read veiculos
		7: write veiculos
		8: delete veiculos
		8: delete veiculos`)
	p.says(t, `
		Azul Fiat Uno of 2018, made in Itália, of client 1, João Silva
		2022 JKL3456 Polo
		2019 DEF5678 Gol
		vehicle ABC1234 has João da Silva
		vehicle DEF5678 has João Silva`)
	p.holds(t, "veiculos", `
		{"marca": "Fiat", "ano": 2018, "placa": "ABC1234", "pais_origem": "Itália", "cliente": {"id": 1, "nome": "João da Silva"}, "cor": "Azul", "modelo": "Uno"}
		{"marca": "Volkswagen", "ano": 2019, "placa": "DEF5678", "pais_origem": "Brasil", "cliente": {"id": 1, "nome": "João da Silva"}, "cor": "Preto", "modelo": "Gol"}`)
}

// A vehicle is inserted with its client in one logged batch, and deleted without it; a renamed client has two names until the
// application has written all vehicles.
func TestApproach5(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach5.Schema, approach5.Demo)
	p.sent(t, `
		1: [[write veiculos, write clientes]]
		1: [[write veiculos, write clientes]]
		1: [[write veiculos, write clientes]]
		1: [[write veiculos, write clientes]]
		2: read veiculos
		3: read clientes
		4: write veiculos
		5: read veiculos
		5: [[write veiculos, write clientes]]
		6: read veiculos
		6: read clientes
		7: read veiculos
		7: read veiculos
		7: [[write veiculos, write clientes]]
		8: delete veiculos
		8: delete veiculos`)
	p.says(t, `
		vehicle GHI9012, Vermelho, of client 2, Maria Souza
		client 2 is Maria Souza
		vehicle DEF5678 has João Silva, the client's row has João da Silva`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cliente": {"id": 1, "nome": "João da Silva"}, "cor": "Verde"}
		{"placa": "DEF5678", "cliente": {"id": 1, "nome": "João da Silva"}, "cor": "Preto"}`)
	p.holds(t, "clientes", `
		{"id": 1, "nome": "João da Silva"}
		{"id": 2, "nome": "Maria Souza"}`)
}

// The client is the source: what approach 5 leaves by accident, a vehicle with another name than its client, follows, even after a process has ended too
// early. A vehicle without a client, and the deletion of a client with vehicles, are refused.
func TestApproach5Versioned(t *testing.T) {
	p := run(t, approach5versioned.Schema, approach5versioned.Demo)
	p.says(t, `
		mapper: Insert Veiculo (veiculos placa='ABC1234'): Cliente.ID is a reference, and there is no Cliente (clientes id=1)
		vehicle ABC1234, Azul, of client 1, João Silva
		vehicle DEF5678, Preto, of client 1, João Silva
		before FanOut: vehicle DEF5678 of João da Silva
		after FanOut: vehicle DEF5678 of João Souza
		mapper: Delete Cliente (clientes id=1): Veiculo (veiculos placa='ABC1234') refers to it by Cliente.ID: delete that first, or let it refer to another`)
	p.holds(t, "aml_outboxes", "")
}
