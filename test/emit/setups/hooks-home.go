package main

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"example.com/hooked/internal/platform"
)

var (
	mutex sync.Mutex
	seen  = []any{}
)

func see(values ...any) {
	mutex.Lock()
	defer mutex.Unlock()
	seen = append(seen, values)
}

func stored(address string) Home {
	listedAt := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	return Home{ID: platform.NewID(), Address: address, Rate: 1, Plan: []byte{1}, Secret: "s", ListedAt: listedAt}
}

func setup(_ context.Context, env *Env, router *platform.Router) error {
	hooks := env.Hooks
	hooks.BeforeCreate.Add(beforeCreate)
	hooks.BeforeCreate.Add(func(_ context.Context, _ *Env, _ HomeRequest, input *Home, _ platform.Caller) error {
		input.Address += "!"
		// It stays what it is.
		input.ID = uuid.Nil
		return nil
	})
	hooks.AfterCreate.Add(afterCreate)
	hooks.BeforeRead.Add(func(_ context.Context, _ *Env, input *HomeID, caller platform.Caller) error {
		see("beforeRead", input.ID, caller.ID)
		return nil
	})
	hooks.AfterRead.Add(func(_ context.Context, _ *Env, home *Home, _ platform.Caller) error {
		if home.Address == "fail after!" {
			return platform.HookError(http.StatusConflict, "after")
		}
		home.Rate = 7
		return nil
	})
	hooks.BeforeUpdate.Add(beforeUpdate)
	hooks.AfterUpdate.Add(func(_ context.Context, _ *Env, home *Home, _ platform.Caller) error {
		home.Address = "after update"
		return nil
	})
	hooks.BeforeDelete.Add(func(_ context.Context, _ *Env, input *HomeID, _ platform.Caller) error {
		see("beforeDelete", input.ID)
		return nil
	})
	hooks.AfterDelete.Add(func(_ context.Context, _ *Env, id HomeID, _ platform.Caller) error {
		see("afterDelete", id.ID)
		return nil
	})
	hooks.BeforeList.Add(func(_ context.Context, _ *Env, input *platform.Page, _ platform.Caller) error {
		if input.Limit == 999 {
			input.Limit = 1
		}
		return nil
	})
	hooks.AfterList.Add(func(_ context.Context, _ *Env, homes *[]Home, _ platform.Caller) error {
		if len(*homes) > 100 {
			see("afterList", len(*homes))
		}
		if slices.ContainsFunc(*homes, func(home Home) bool { return home.Address == "broken" }) {
			return platform.HookError(http.StatusTeapot, "broken")
		}
		for index := range *homes {
			(*homes)[index].Rate = 8
		}
		slices.Reverse(*homes)
		return nil
	})
	hooks.Photo.BeforeCreate.Add(
		func(_ context.Context, _ *Env, request PhotoRequest, input *Photo, _ platform.Caller) (err error) {
			see("photo.beforeCreate", input.ParentID, input.Views)
			if other, isMove := strings.CutPrefix(request.Caption, "move "); isMove {
				input.ParentID, err = uuid.Parse(other)
			}
			input.Views = 3
			return err
		})
	hooks.Photo.AfterRead.Add(func(_ context.Context, _ *Env, photo *Photo, _ platform.Caller) error {
		photo.Caption += photo.ParentID.String()
		return nil
	})
	addRoutes(env, router)
	return nil
}

func beforeCreate(ctx context.Context, env *Env, request HomeRequest, input *Home, caller platform.Caller) error {
	plan := []int{}
	for _, each := range input.Plan {
		plan = append(plan, int(each))
	}
	see("beforeCreate", true, request.Coupon, map[string]any{"id": 0, "address": input.Address, "rate": input.Rate,
		"plan": plan, "secret": input.Secret, "listedAt": input.ListedAt}, caller.ID)
	switch request.Address {
	case "throw":
		return platform.HookError(http.StatusTeapot, "thrown")
	case "return":
		return platform.HookError(http.StatusUnprocessableEntity, "returned")
	case "crash":
		return errors.New("a secret of ours")
	case "bad status":
		return platform.HookError(99, "x")
	case "failed statement":
		// A statement fails, and so does every later one of the transaction.
		env.Log.InfoContext(ctx, "statement fails")
		_, _ = env.Datastore.db.Exec(ctx, "SELECT 1 / 0")
	case "text":
		panic("s3cret")
	case "message":
		return platform.HookError(http.StatusPaymentRequired, "Not paid")
	case "response":
		header := http.Header{"Retry-After": {"7"}}
		return &platform.Error{Status: http.StatusTooManyRequests, Message: "Slow down", Header: header}
	case "transaction":
		err := env.Transaction(ctx, func(ctx context.Context) error {
			_, err := env.Datastore.CreateHome(ctx, stored(request.Coupon), caller.ID)
			return err
		})
		if err != nil {
			return err
		}
	case "unavailable rate":
		input.Rate = math.NaN()
	}
	input.ListedAt = time.Date(2020, 1, 1, 0, 0, 0, 500_000_000, time.UTC)
	input.Secret = "set"
	input.Address = strings.TrimSpace(input.Address)
	return nil
}

func afterCreate(ctx context.Context, env *Env, home *Home, _ platform.Caller) error {
	if home.Address == "failing callback!" {
		env.AfterCommit(ctx, func(context.Context) error { return errors.New("No mail server") })
	}
	env.AfterCommit(ctx, func(ctx context.Context) error {
		env.Log.InfoContext(ctx, "committed "+strings.ToLower(home.Address))
		return nil
	})
	if home.Address == "refuse after!" {
		photo := Photo{ID: platform.NewID(), ParentID: home.ID, Caption: "rolled back"}
		if _, err := env.Datastore.CreatePhoto(ctx, photo); err != nil {
			return err
		}
		return platform.HookError(http.StatusConflict, "after create")
	}
	home.Address = strings.ToUpper(home.Address)
	see("afterCreate", home.Secret)
	return nil
}

func beforeUpdate(ctx context.Context, env *Env, request UpdateHomeRequest, input *UpdateHome, _ platform.Caller) error {
	current, err := env.Datastore.ReadHome(ctx, HomeID{ID: input.ID})
	if err != nil {
		return err
	}
	see("beforeUpdate", current.Address, request.Coupon, input.ListedAt)
	if request.Address == "elsewhere" {
		input.ID, err = uuid.Parse(*request.Coupon)
	}
	if request.Coupon != nil && *request.Coupon == "stamp" {
		input.ListedAt = new(time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return err
}

func addRoutes(env *Env, router *platform.Router) {
	router.Handle("GET /home/{id}/custom-endpoint", func(w http.ResponseWriter, r *http.Request) error {
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		home, err := env.Datastore.ReadHome(r.Context(), HomeID{ID: id})
		if errors.Is(err, platform.ErrNotFound) {
			return platform.HookError(http.StatusNotFound, "No such home")
		}
		if err != nil {
			return err
		}
		caller := platform.CallerOf(r.Context())
		return platform.JSON(w, http.StatusOK, map[string]any{"address": home.Address, "caller": caller.ID})
	})
	router.Handle("PROPFIND /home/special", func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write([]byte("special"))
		return err
	})
	router.Handle("GET /home/all/seen", func(w http.ResponseWriter, _ *http.Request) error {
		mutex.Lock()
		defer mutex.Unlock()
		defer func() { seen = []any{} }()
		return platform.JSON(w, http.StatusOK, seen)
	})
	router.Handle("POST /home/datastore", env.useDatastore)
	router.Handle("POST /home/transaction/{outcome}", func(w http.ResponseWriter, r *http.Request) error {
		outcome, caller := r.PathValue("outcome"), platform.CallerOf(r.Context())
		create := func(ctx context.Context) error {
			_, err := env.Datastore.CreateHome(ctx, stored(outcome), caller.ID)
			return err
		}
		err := env.Transaction(r.Context(), func(ctx context.Context) error {
			env.AfterCommit(ctx, func(ctx context.Context) error {
				env.Log.InfoContext(ctx, "committed route "+outcome)
				return nil
			})
			if err := create(ctx); err != nil {
				return err
			}
			if err := env.Transaction(ctx, create); err != nil {
				return err
			}
			if outcome == "thrown" {
				return platform.HookError(http.StatusTeapot, "thrown")
			}
			return nil
		})
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("POST /home/outer-datastore", func(w http.ResponseWriter, r *http.Request) error {
		err := env.Transaction(r.Context(), func(ctx context.Context) error {
			_, err := env.Datastore.ReadHome(ctx, HomeID{ID: platform.CallerOf(ctx).ID})
			return err
		})
		if !errors.Is(err, platform.ErrNotFound) {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("POST /home/after-commit", func(w http.ResponseWriter, r *http.Request) error {
		var order []string
		env.AfterCommit(r.Context(), func(context.Context) error {
			order = append(order, "callback")
			return nil
		})
		return platform.JSON(w, http.StatusOK, append(order, "route"))
	})
	router.Handle("GET /home/{id}/access/{kind}", func(w http.ResponseWriter, r *http.Request) error {
		ctx, caller := r.Context(), platform.CallerOf(r.Context())
		id, err := platform.PathID(r, "id")
		if err != nil {
			return platform.ErrNotFound
		}
		require := map[string]func(context.Context, uuid.UUID, platform.Caller) error{
			"read": env.RequireReadable, "write": env.RequireWritable,
			"read-photos": env.RequireReadable, "write-photos": env.RequireWritable,
		}
		if err := require[r.PathValue("kind")](ctx, id, caller); err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
}

func (env *Env) useDatastore(w http.ResponseWriter, r *http.Request) error {
	ctx, caller, d := r.Context(), platform.CallerOf(r.Context()), env.Datastore
	home, err := d.CreateHome(ctx, stored("a"), caller.ID)
	if err != nil {
		return err
	}
	photoOf := func(parent uuid.UUID) Photo {
		return Photo{ID: platform.NewID(), ParentID: parent, Caption: "c", Views: 1}
	}
	photo, err := d.CreatePhoto(ctx, photoOf(home.ID))
	if err != nil {
		return err
	}
	_, orphan := d.CreatePhoto(ctx, photoOf(caller.ID))
	updated, err := d.UpdateHome(ctx, UpdateHome{HomeID: HomeID{ID: home.ID}, Address: new("b")})
	if err != nil {
		return err
	}
	photoID := PhotoID{ParentID: home.ID, ID: photo.ID}
	read, err := d.ReadPhoto(ctx, photoID)
	if err != nil {
		return err
	}
	photos, err := d.ListPhoto(ctx, PhotoPage{ParentID: home.ID})
	if err != nil {
		return err
	}
	homes, err := d.ListHome(ctx, platform.Page{Limit: 1})
	if err != nil {
		return err
	}
	deletedPhoto, deleted := d.DeletePhoto(ctx, photoID), d.DeleteHome(ctx, HomeID{ID: home.ID})
	_, gone := d.ReadHome(ctx, HomeID{ID: home.ID})
	missing := map[bool]any{true: json.RawMessage("null"), false: "there"}
	return platform.JSON(w, http.StatusOK, map[string]any{
		"secret": home.Secret, "orphan": missing[errors.Is(orphan, platform.ErrNotFound)], "updated": updated.Address,
		"photo": read.Caption, "photos": len(photos), "homes": len(homes), "malformed": 0,
		"deletedPhoto": deletedPhoto == nil, "deleted": deleted == nil,
		"gone": missing[errors.Is(gone, platform.ErrNotFound)],
	})
}
