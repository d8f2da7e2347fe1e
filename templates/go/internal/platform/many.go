package platform

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"
)

// Many is what reads several entities of a service for other services, with the hooks of a read for each.
type Many[Env any, ID ~struct{ ID uuid.UUID }, T any] struct {
	Env    Env
	Before *Hook[Env, *ID]
	After  *Hook[Env, *T]
	// Returns those of the ids that the caller may read.
	Readable func(ctx context.Context, ids []uuid.UUID, caller Caller) ([]uuid.UUID, error)
	// Reads those of the entities that the caller may read.
	Read func(ctx context.Context, ids []uuid.UUID, caller Caller) (*List[T], error)
}

// Handle responds to a request for the entities with some ids. Those for which a hook returns 404 are left out.
func (m Many[Env, ID, T]) Handle(w http.ResponseWriter, r *http.Request) error {
	ctx, caller := r.Context(), CallerOf(r.Context())
	ids, err := ReadRequest(r, func(body *Values) []uuid.UUID {
		texts := body.Texts("ids")
		ids := make([]uuid.UUID, len(texts))
		for index, text := range texts {
			var isValid bool
			if ids[index], isValid = ParseID(text); !isValid {
				body.reject("ids", "must be a UUID")
			}
		}
		if len(ids) > maxIDs {
			body.reject("ids", "must have at most "+plural(maxIDs, "id"))
		}
		return ids
	})
	if err != nil {
		return err
	}
	if m.Before.IsUsed() {
		if ids, err = m.admitted(ctx, ids, caller); err != nil {
			return err
		}
	}
	list, err := m.Read(ctx, ids, caller)
	if err != nil {
		return err
	}
	var after Hook[Env, *[]T]
	if m.After.IsUsed() {
		after.Add(m.runAfter)
	}
	if err := RunAfterList(ctx, &after, m.Env, list, caller); err != nil {
		return err
	}
	return list.Respond(w, r, "entities")
}

// admitted returns the ids that before-hooks admit. They run for no entity that the caller may not read.
func (m Many[Env, ID, T]) admitted(ctx context.Context, ids []uuid.UUID, caller Caller) ([]uuid.UUID, error) {
	readable, err := m.Readable(ctx, ids, caller)
	admitted := []uuid.UUID{}
	for _, id := range readable {
		input := ID(struct{ ID uuid.UUID }{id})
		isShown, err := shows(m.Before.Run(ctx, m.Env, &input, caller))
		if err != nil {
			return nil, err
		}
		if isShown {
			admitted = append(admitted, struct{ ID uuid.UUID }(input).ID)
		}
	}
	return admitted, err
}

func (m Many[Env, ID, T]) runAfter(ctx context.Context, env Env, rows *[]T, caller Caller) error {
	shown := (*rows)[:0]
	for _, row := range *rows {
		isShown, err := shows(m.After.Run(ctx, env, &row, caller))
		if err != nil {
			return err
		}
		if isShown {
			shown = append(shown, row)
		}
	}
	*rows = shown
	return nil
}

// shows tells whether a hook shows an entity: it hides those for which it returns 404.
func shows(err error) (bool, error) {
	refusal, isRefusal := errors.AsType[*Error](err)
	if isRefusal && refusal.Status == http.StatusNotFound || errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
