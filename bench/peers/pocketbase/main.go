// Command pocketbase is PocketBase with the collection of Thing of measured.portico.
package main

import (
	"log"

	_ "example.com/pocketbase/migrations"
	"github.com/pocketbase/pocketbase"
)

func main() {
	if err := pocketbase.New().Start(); err != nil {
		log.Fatal(err)
	}
}
