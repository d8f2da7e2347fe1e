package main

import (
	"context"
	"crypto/rand"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"example.com/project/internal/platform"
)

func init() {
	// Instead of the address of the network interface.
	node := make([]byte, 6)
	_, _ = rand.Read(node)
	node[0] |= 1
	uuid.SetNodeID(node)
}

// newAccountID returns a UUID of version 1.
func newAccountID() uuid.UUID { return uuid.Must(uuid.NewUUID()) }

// CreateAuth stores an account. Fails with the constraint auth__email__key if the email is registered already.
func (d Datastore) CreateAuth(ctx context.Context, account Auth) error {
	_, err := d.db.Exec(ctx, `INSERT INTO "auth" (`+authColumns+`) VALUES (`+authValues+`)`, account.values()...)
	return err
}

// ReadAuth returns an account, or ErrNotFound.
func (d Datastore) ReadAuth(ctx context.Context, id uuid.UUID) (Auth, error) {
	return platform.Row(ctx, d.db, pgx.RowToStructByPos[Auth],
		`SELECT `+authColumns+` FROM "auth" WHERE "id" = $1`, id)
}

// FindAuth returns the account with an email, or ErrNotFound.
func (d Datastore) FindAuth(ctx context.Context, email string) (Auth, error) {
	return platform.Row(ctx, d.db, pgx.RowToStructByPos[Auth],
		`SELECT `+authColumns+` FROM "auth" WHERE lower("email" COLLATE "C") = lower($1::text COLLATE "C")`, email)
}

// UpdateAuth changes an account. Returns ErrNotFound without one.
func (d Datastore) UpdateAuth(ctx context.Context, account Auth) (Auth, error) {
	return platform.Row(ctx, d.db, pgx.RowToStructByPos[Auth],
		`UPDATE "auth" SET (`+authColumns+`) = ROW (`+authValues+`) WHERE "id" = $1 RETURNING `+authColumns,
		account.values()...)
}

// DeleteAuth deletes an account. Returns ErrNotFound without one.
func (d Datastore) DeleteAuth(ctx context.Context, id uuid.UUID) error {
	_, err := platform.Row(ctx, d.db, pgx.RowTo[uuid.UUID], `DELETE FROM "auth" WHERE "id" = $1 RETURNING "id"`, id)
	return err
}

// ListAuth returns all accounts.
func (d Datastore) ListAuth(ctx context.Context) ([]Auth, error) {
	return platform.Rows(ctx, d.db, pgx.RowToStructByPos[Auth], `SELECT `+authColumns+` FROM "auth" ORDER BY "id"`)
}
