package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

type link struct {
	ID      uuid.UUID `json:"id"`
	Title   string    `json:"title"`
	Account uuid.UUID `json:"account"`
	Place   uuid.UUID `json:"place"`
}

// Fields are pointers to tell what is missing.
type linkRequest struct {
	Title   *string    `json:"title"`
	Account *uuid.UUID `json:"account"`
	Place   *uuid.UUID `json:"place"`
}

func (r linkRequest) check() error {
	switch {
	case r.Account == nil:
		return badRequest("account is missing")
	case r.Place == nil:
		return badRequest("place is missing")
	}
	return checkText("title", r.Title, 120)
}

const insertLink = `insert into link (id, _owner, title, account, place) values ($1, $2, $3, $4, $5)
	returning id, title, account, place`

func scanLink(row pgx.CollectableRow) (found link, err error) {
	// pgx would read a uuid.UUID as text.
	err = row.Scan((*[16]byte)(&found.ID), &found.Title, (*[16]byte)(&found.Account), (*[16]byte)(&found.Place))
	return found, err
}

const callTimeout = 2 * time.Second

// reference checks ids of another service.
type reference struct {
	service, url string
	client       *http.Client
}

func newReference(service, url string) reference {
	transport := &http.Transport{MaxConnsPerHost: 128, MaxIdleConnsPerHost: 128, IdleConnTimeout: time.Minute}
	return reference{service, url, &http.Client{Transport: transport, Timeout: callTimeout}}
}

// check rejects an id that is unknown to the service.
func (ref reference) check(ctx context.Context, id uuid.UUID) error {
	body, err := json.Marshal(map[string][]uuid.UUID{"ids": {id}})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, ref.url+"/references", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+callerOf(ctx).token)
	request.Header.Set("X-Request-Id", requestIDOf(ctx))
	unavailable := &statusError{http.StatusServiceUnavailable, ref.service + " is unavailable"}
	response, err := ref.client.Do(request)
	if err != nil {
		return unavailable
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Unknown []string `json:"unknown"`
	}
	if response.StatusCode != http.StatusOK || json.NewDecoder(response.Body).Decode(&answer) != nil {
		return unavailable
	}
	if len(answer.Unknown) > 0 {
		return badRequest("Unknown " + ref.service + ": " + id.String())
	}
	return nil
}

func linkRoutes(mux *http.ServeMux, pool *pgxpool.Pool) {
	account := newReference("Account", os.Getenv("ACCOUNT_INTERNAL_URL"))
	place := newReference("Place", os.Getenv("PLACE_INTERNAL_URL"))
	handle(mux, "POST /link", func(w http.ResponseWriter, r *http.Request) error {
		var request linkRequest
		if err := readJSON(w, r, &request); err != nil {
			return err
		}
		if err := request.check(); err != nil {
			return err
		}
		group, ctx := errgroup.WithContext(r.Context())
		group.Go(func() error { return account.check(ctx, *request.Account) })
		group.Go(func() error { return place.check(ctx, *request.Place) })
		if err := group.Wait(); err != nil {
			return err
		}
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		rows, err := pool.Query(r.Context(), insertLink, [16]byte(id), [16]byte(callerOf(r.Context()).id), *request.Title,
			[16]byte(*request.Account), [16]byte(*request.Place))
		if err != nil {
			return err
		}
		created, err := pgx.CollectExactlyOneRow(rows, scanLink)
		if err != nil {
			return err
		}
		w.Header().Set("Location", "/api/link/"+created.ID.String())
		return writeJSON(w, http.StatusCreated, created)
	})
}
