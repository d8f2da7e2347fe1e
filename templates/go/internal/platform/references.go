package platform

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// Target is what references point to.
type Target interface {
	// Name returns the name as declared.
	Name() string
	// Unknown returns the ids of what does not exist or may not be read by the caller.
	Unknown(ctx context.Context, ids []uuid.UUID, caller Caller) ([]uuid.UUID, error)
}

// Reference is a reference in a request.
type Reference struct {
	To Target
	// An optional one without a value is nil and not checked.
	ID *uuid.UUID
	// The stored value. An update checks only references that change.
	Stored *uuid.UUID
}

// ownTarget is what the service itself stores.
type ownTarget struct {
	name string
	find func(ctx context.Context, ids []uuid.UUID, caller Caller) ([]uuid.UUID, error)
}

// OwnTarget returns the service's own entities as a target of references. `find` returns those of the ids that exist and
// may be read by the caller.
func OwnTarget(name string, find func(context.Context, []uuid.UUID, Caller) ([]uuid.UUID, error)) Target {
	return &ownTarget{name, find}
}

// Entries returns the entries of a struct as a target of references. `read` returns ErrNotFound for those that do not
// exist.
func Entries(name string, read func(ctx context.Context, id uuid.UUID) error) Target {
	return &ownTarget{name, func(ctx context.Context, ids []uuid.UUID, _ Caller) (found []uuid.UUID, err error) {
		for _, id := range ids {
			if err := read(ctx, id); err == nil {
				found = append(found, id)
			} else if !errors.Is(err, ErrNotFound) {
				return nil, err
			}
		}
		return found, nil
	}}
}

func (t *ownTarget) Name() string { return t.name }

func (t *ownTarget) Unknown(ctx context.Context, ids []uuid.UUID, caller Caller) ([]uuid.UUID, error) {
	found, err := t.find(ctx, ids, caller)
	isFound := func(id uuid.UUID) bool { return slices.Contains(found, id) }
	return slices.DeleteFunc(slices.Clone(ids), isFound), err
}

// RequireReferences returns the error for the first reference that is unknown. Each target is asked once, all of them
// at the same time.
func RequireReferences(ctx context.Context, caller Caller, references ...Reference) error {
	references = slices.DeleteFunc(references, func(r Reference) bool {
		return r.ID == nil || r.Stored != nil && *r.Stored == *r.ID
	})
	ids := map[Target][]uuid.UUID{}
	for _, reference := range references {
		ids[reference.To] = append(ids[reference.To], *reference.ID)
	}
	var mutex sync.Mutex
	unknown := map[Target][]uuid.UUID{}
	var group errgroup.Group
	for to, each := range ids {
		group.Go(func() error {
			found, err := to.Unknown(ctx, each, caller)
			mutex.Lock()
			defer mutex.Unlock()
			unknown[to] = found
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, reference := range references {
		if slices.Contains(unknown[reference.To], *reference.ID) {
			return UnknownReference(reference.To.Name(), reference.ID)
		}
	}
	return nil
}

// UnknownReference is the error for a reference to what does not exist or may not be read.
func UnknownReference(name string, id *uuid.UUID) error {
	return BadRequest("Unknown %s: %s", name, id)
}

// ServeReferences lets other services check references. No hooks run. `find` returns those of the ids that exist and may
// be read by the caller.
func (api *API) ServeReferences(find func(context.Context, []uuid.UUID, Caller) ([]uuid.UUID, error)) {
	limits := &BodyLimits{maxBytes: api.Limits.maxBytes, maxInFlight: api.Limits.maxInFlight}
	internal := &API{Service: api.Service, Log: api.Log, Limits: limits, Identify: api.Identify}
	internal.Generated.Handle("POST /references", func(w http.ResponseWriter, r *http.Request) error {
		texts, err := ReadRequest(r, func(body *Values) []string { return body.Texts("ids") })
		if err != nil {
			return err
		}
		var ids []uuid.UUID
		for _, text := range texts {
			if id, isValid := ParseID(text); isValid {
				ids = append(ids, id)
			}
		}
		found, err := find(r.Context(), ids, CallerOf(r.Context()))
		if err != nil {
			return err
		}
		unknown := slices.DeleteFunc(texts, func(text string) bool {
			id, isValid := ParseID(text)
			return isValid && slices.Contains(found, id)
		})
		return JSON(w, http.StatusOK, map[string][]string{"unknown": unknown})
	})
	api.Internal = internal
}
