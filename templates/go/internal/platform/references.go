package platform

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/google/uuid"
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

func (r Reference) hasChanged() bool { return r.ID != nil && (r.Stored == nil || *r.Stored != *r.ID) }

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
	references = slices.DeleteFunc(references, func(r Reference) bool { return !r.hasChanged() })
	ids := map[Target][]uuid.UUID{}
	for _, reference := range references {
		ids[reference.To] = append(ids[reference.To], *reference.ID)
	}
	var mutex sync.Mutex
	var group sync.WaitGroup
	var failure error
	unknown := map[Target][]uuid.UUID{}
	ask := func(to Target) {
		found, err := to.Unknown(ctx, ids[to], caller)
		mutex.Lock()
		defer mutex.Unlock()
		unknown[to] = found
		if err != nil && failure == nil {
			failure = err
		}
	}
	for to := range ids {
		if len(ids) == 1 {
			ask(to)
		} else {
			group.Go(func() { ask(to) })
		}
	}
	group.Wait()
	if failure != nil {
		return failure
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

type unknownIDs struct {
	Unknown []string `json:"unknown"`
}

// References creates the API with which other services check references. No hooks run. `find` returns those of the ids
// that exist and may be read by the caller.
func (api *API) References(find func(context.Context, []uuid.UUID, Caller) ([]uuid.UUID, error)) http.Handler {
	router := &Router{}
	router.Handle("POST /references", func(w http.ResponseWriter, r *http.Request) error {
		values, err := ReadBody(r)
		if err != nil {
			return err
		}
		texts := values.Texts("ids")
		if err := values.Err(); err != nil {
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
		unknown := []string{}
		for _, text := range texts {
			if id, isValid := ParseID(text); !isValid || !slices.Contains(found, id) {
				unknown = append(unknown, text)
			}
		}
		return JSON(w, http.StatusOK, unknownIDs{unknown})
	})
	limits := &BodyLimits{maxBytes: api.Limits.maxBytes, maxInFlight: api.Limits.maxInFlight}
	return &API{Names: api.Names, Log: api.Log, Limits: limits, Identify: api.Identify, Generated: router}
}
