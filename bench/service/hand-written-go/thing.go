package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type thing struct {
	ID       uuid.UUID `json:"id"`
	Title    string    `json:"title"`
	Amount   int       `json:"amount"`
	Price    float64   `json:"price"`
	Due      date      `json:"due"`
	StartsAt time.Time `json:"startsAt"`
	Active   bool      `json:"active"`
}

// Fields are pointers to tell what is missing.
type thingRequest struct {
	Title    *string    `json:"title"`
	Amount   *int       `json:"amount"`
	Price    *float64   `json:"price"`
	Due      *date      `json:"due"`
	StartsAt *time.Time `json:"startsAt"`
	Active   *bool      `json:"active"`
}

func (r thingRequest) check() error {
	if err := checkText("title", r.Title, 120); err != nil {
		return err
	}
	switch {
	case r.Amount == nil || *r.Amount < 0 || *r.Amount > 1_000_000:
		return badRequest("amount must be an integer from 0 to 1000000")
	case r.Price == nil || *r.Price < 0:
		return badRequest("price must be a number of at least 0")
	case r.Due == nil:
		return badRequest("due is missing")
	case r.StartsAt == nil:
		return badRequest("startsAt is missing")
	case r.Active == nil:
		return badRequest("active is missing")
	}
	return nil
}

const (
	thingColumns = `id, title, amount, price, due, starts_at, active`
	selectThing  = `select ` + thingColumns + ` from thing where id = $1`
	listThings   = `select ` + thingColumns + ` from thing where id > $1 order by id limit $2`
	insertThing  = `insert into thing (id, _owner, title, amount, price, due, starts_at, active)
		values ($1, $2, $3, $4, $5, $6, $7, $8) returning ` + thingColumns
)

func scanThing(row pgx.CollectableRow) (found thing, err error) {
	// pgx would read a uuid.UUID as text.
	err = row.Scan((*[16]byte)(&found.ID), &found.Title, &found.Amount, &found.Price, &found.Due.Time, &found.StartsAt,
		&found.Active)
	found.StartsAt = found.StartsAt.UTC()
	return found, err
}

// queryThings runs a statement that returns things.
func queryThings(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) ([]thing, error) {
	rows, err := pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanThing)
}

// queryThing runs a statement that returns one thing.
func queryThing(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) (thing, error) {
	rows, err := pool.Query(ctx, sql, args...)
	if err != nil {
		return thing{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanThing)
}

func thingRoutes(mux *http.ServeMux, pool *pgxpool.Pool) {
	handle(mux, "GET /thing/all", func(w http.ResponseWriter, r *http.Request) error {
		limit, after, err := pageOf(r.URL.Query())
		if err != nil {
			return err
		}
		// One more shows whether another page follows.
		found, err := queryThings(r.Context(), pool, listThings, [16]byte(after), limit+1)
		if err != nil {
			return err
		}
		if len(found) > limit {
			found = found[:limit]
			next := fmt.Sprintf(`</api/thing/all?limit=%d&after=%s>; rel="next"`, limit, found[limit-1].ID)
			w.Header().Set("Link", next)
		}
		return writeJSON(w, http.StatusOK, map[string][]thing{"ThingList": found})
	})
	handle(mux, "GET /thing/{id}", func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r)
		if err != nil {
			return err
		}
		found, err := queryThing(r.Context(), pool, selectThing, [16]byte(id))
		if errors.Is(err, pgx.ErrNoRows) {
			return &statusError{http.StatusNotFound, "Thing not found: " + id.String()}
		}
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, found)
	})
	handle(mux, "POST /thing", func(w http.ResponseWriter, r *http.Request) error {
		var request thingRequest
		if err := readJSON(w, r, &request); err != nil {
			return err
		}
		if err := request.check(); err != nil {
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		created, err := queryThing(r.Context(), pool, insertThing, [16]byte(id), [16]byte(callerOf(r.Context()).id),
			*request.Title, *request.Amount, *request.Price, request.Due.Time, *request.StartsAt, *request.Active)
		if err != nil {
			return err
		}
		w.Header().Set("Location", "/api/thing/"+created.ID.String())
		return writeJSON(w, http.StatusCreated, created)
	})
}

const maxPage = 1000

func pageOf(query url.Values) (limit int, after uuid.UUID, err error) {
	limit, err = strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 || limit > maxPage {
		return limit, after, badRequest("limit must be an integer from 1 to " + strconv.Itoa(maxPage))
	}
	if text := query.Get("after"); text != "" {
		if after, err = uuid.Parse(text); err != nil {
			return limit, after, badRequest("after must be a UUID")
		}
	}
	return limit, after, nil
}
