package main

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"example.com/toolshed/internal/platform"
)

// ExpectFree rejects a loan on days for which the tool is lent already. Other loans of the tool wait until the
// transaction ends.
func (d Datastore) ExpectFree(ctx context.Context, wanted Loan) error {
	if _, err := d.db.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended($1, 0))`, wanted.Tool.String()); err != nil {
		return err
	}
	isLent, err := platform.Row(ctx, d.db, pgx.RowTo[bool], `
		select exists (
			select from "loan"
			where "tool" = $1 and "returned_at" is null and "first_day" <= $3 and "last_day" >= $2
		)`, wanted.Tool, wanted.FirstDay, wanted.LastDay)
	if err == nil && isLent {
		return platform.HookError(http.StatusConflict, "The tool is lent on these days")
	}
	return err
}

// ReturnLoan records that a tool was brought back. Returns ErrNotFound if it was before.
func (d Datastore) ReturnLoan(ctx context.Context, id uuid.UUID) (Loan, error) {
	return platform.Row(ctx, d.db, scanLoan, `
		update "loan" set "returned_at" = now()
		where "id" = $1 and "returned_at" is null
		returning `+loanColumns, id)
}
