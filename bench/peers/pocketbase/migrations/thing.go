// Package migrations creates the collection, and the user whose requests are measured.
package migrations

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/migrations"
	"github.com/pocketbase/pocketbase/tools/types"
)

const (
	authenticated = "@request.auth.id != \"\""
	ownedByCaller = authenticated + " && owner = @request.auth.id"
)

func init() {
	migrations.Register(func(app core.App) error {
		users, err := app.FindCollectionByNameOrId("users")
		if err != nil {
			return err
		}
		user := core.NewRecord(users)
		user.SetEmail("one@example.com")
		user.SetPassword("long enough")
		if err := app.Save(user); err != nil {
			return err
		}

		things := core.NewBaseCollection("thing")
		things.ListRule = types.Pointer(authenticated)
		things.ViewRule = types.Pointer(authenticated)
		things.CreateRule = types.Pointer(ownedByCaller)
		things.Fields.Add(
			&core.RelationField{Name: "owner", CollectionId: users.Id, MaxSelect: 1, Required: true},
			&core.TextField{Name: "title", Required: true, Max: 120},
			&core.NumberField{Name: "amount", OnlyInt: true, Min: types.Pointer(0.0), Max: types.Pointer(1_000_000.0)},
			&core.NumberField{Name: "price", Min: types.Pointer(0.0)},
			&core.DateField{Name: "due", Required: true},
			&core.DateField{Name: "startsAt", Required: true},
			&core.BoolField{Name: "active"},
		)
		return app.Save(things)
	}, nil)
}
