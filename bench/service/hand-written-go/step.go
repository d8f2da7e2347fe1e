package main

import (
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type step struct {
	ID       uuid.UUID `json:"id"`
	Title    string    `json:"title"`
	Previous string    `json:"previous"`
}

// Fields are pointers to tell what is missing.
type stepRequest struct {
	Title    *string    `json:"title"`
	Previous *uuid.UUID `json:"previous"`
}

const (
	selectStep = `select id, title, previous from step where id = $1`
	insertStep = `insert into step (id, _owner, title, previous) values ($1, $2, $3, $4)
		returning id, title, previous`
)

func scanStep(row pgx.CollectableRow) (found step, err error) {
	// pgx would read a uuid.UUID as text.
	err = row.Scan((*[16]byte)(&found.ID), &found.Title, &found.Previous)
	return found, err
}

func stepRoutes(mux *http.ServeMux, pool *pgxpool.Pool) {
	handle(mux, "POST /step", func(w http.ResponseWriter, r *http.Request) error {
		var request stepRequest
		if err := readJSON(w, r, &request); err != nil {
			return err
		}
		if request.Previous == nil {
			return badRequest("previous is missing")
		}
		if err := checkText("title", request.Title, 120); err != nil {
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		var created step
		err = pgx.BeginFunc(r.Context(), pool, func(tx pgx.Tx) error {
			rows, err := tx.Query(r.Context(), selectStep, [16]byte(*request.Previous))
			if err != nil {
				return err
			}
			_, err = pgx.CollectExactlyOneRow(rows, scanStep)
			if errors.Is(err, pgx.ErrNoRows) {
				return &statusError{http.StatusConflict, "No such previous step"}
			}
			if err != nil {
				return err
			}
			owner := callerOf(r.Context()).id
			rows, err = tx.Query(r.Context(), insertStep, [16]byte(id), [16]byte(owner), *request.Title,
				request.Previous.String())
			if err != nil {
				return err
			}
			created, err = pgx.CollectExactlyOneRow(rows, scanStep)
			return err
		})
		if err != nil {
			return err
		}
		w.Header().Set("Location", "/api/step/"+created.ID.String())
		return writeJSON(w, http.StatusCreated, created)
	})
}
