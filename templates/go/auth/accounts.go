package main

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"example.com/project/internal/platform"
)

// The largest number of ids in one request.
const maxAccounts = 100

// ServeAccounts tells only the readers, which are services whose keys are in the directory, the email and the roles of
// accounts.
func (env *Env) ServeAccounts(api *platform.API, keysDirectory string, readers ...string) {
	api.Internal = &platform.API{
		Service:  api.Service,
		Log:      env.Log,
		Limits:   platform.NewBodyLimits(env.Config.Config),
		Identify: platform.RequireService(keysDirectory, "auth", readers...),
	}
	api.Internal.Generated.Handle("POST /read-many", func(w http.ResponseWriter, r *http.Request) error {
		ids, err := platform.ReadRequest(r, readIDs)
		if err != nil {
			return err
		}
		found, err := env.Datastore.readAccounts(r.Context(), ids)
		if err != nil {
			return err
		}
		accounts := make([]platform.Account, len(found))
		for index, each := range found {
			roles := append([]string{}, each.roles(env.Config)...)
			accounts[index] = platform.Account{ID: each.ID, Email: each.Email, Roles: roles}
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"entities": accounts})
	})
}

func readIDs(body *platform.Values) []uuid.UUID {
	var ids []uuid.UUID
	for _, text := range body.Texts("ids") {
		id, isValid := platform.ParseID(text)
		if !isValid {
			body.Reject("ids", "must be a UUID")
		}
		ids = append(ids, id)
	}
	if len(ids) > maxAccounts {
		body.Reject("ids", "must have at most 100 ids")
	}
	return ids
}

func (d Datastore) readAccounts(ctx context.Context, ids []uuid.UUID) ([]Auth, error) {
	return platform.Rows(ctx, d.db, pgx.RowToStructByPos[Auth],
		`SELECT `+authColumns+` FROM "auth" WHERE "id" = ANY($1)`, ids)
}
