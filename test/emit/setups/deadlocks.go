package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"example.com/deadlocks/internal/platform"
)

var (
	mutex sync.Mutex
	runs  = []string{}
)

func note(run string) {
	mutex.Lock()
	defer mutex.Unlock()
	runs = append(runs, run)
}

func setup(_ context.Context, env *Env, router *platform.Router) error {
	db := env.Datastore.db
	lockFirstRoom := func(ctx context.Context, parent uuid.UUID, name string) error {
		note("run " + name)
		env.AfterCommit(ctx, func(context.Context) error {
			note("committed " + name)
			return nil
		})
		_, err := db.Exec(ctx, `SELECT FROM room WHERE _parent = $1 ORDER BY id LIMIT 1 FOR UPDATE`, parent)
		return err
	}
	env.Hooks.Room.BeforeCreate.Add(
		func(ctx context.Context, _ *Env, _ RoomRequest, input *Room, _ platform.Caller) error {
			return lockFirstRoom(ctx, input.ParentID, input.Name)
		})
	router.Handle("POST /home/{id}/locked-room", func(w http.ResponseWriter, r *http.Request) error {
		parent, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		var body struct{ Name string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return err
		}
		err = env.Transaction(r.Context(), func(ctx context.Context) error {
			if err := lockFirstRoom(ctx, parent, body.Name); err != nil {
				return err
			}
			room := Room{ID: platform.NewID(), ParentID: parent, Name: body.Name}
			_, err := env.Datastore.CreateRoom(ctx, room)
			return err
		})
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusCreated, map[string]string{"name": body.Name})
	})
	router.Handle("POST /home/{id}/conflicts/{count}", func(w http.ResponseWriter, r *http.Request) error {
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(r.PathValue("count"))
		if err != nil {
			return err
		}
		update := func(ctx context.Context, name string) error {
			_, err := env.Datastore.UpdateHome(ctx, UpdateHome{HomeID: HomeID{ID: id}, Name: &name})
			return err
		}
		run := 0
		err = env.Transaction(r.Context(), func(ctx context.Context) error {
			run++
			note("run " + id.String())
			if _, err := db.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
				return err
			}
			if _, err := env.Datastore.ReadHome(ctx, HomeID{ID: id}); err != nil {
				return err
			}
			if run <= count {
				if err := update(platform.Outside(ctx), "changed elsewhere"); err != nil {
					return err
				}
			}
			return update(ctx, "changed "+strconv.Itoa(run))
		})
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("GET /home/all/runs", func(w http.ResponseWriter, _ *http.Request) error {
		mutex.Lock()
		defer mutex.Unlock()
		return platform.JSON(w, http.StatusOK, runs)
	})
	return nil
}
