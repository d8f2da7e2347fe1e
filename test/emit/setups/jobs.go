package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/work/internal/platform"
)

var errRolledBack = errors.New("rolled back")

func setup(_ context.Context, env *Env, router *platform.Router) error {
	db := env.Datastore.db
	effect := func(ctx context.Context, id int64, what string) error {
		_, err := db.Exec(ctx, "INSERT INTO effect (job, what, who) VALUES ($1, $2, 'go')", id, what)
		return err
	}
	env.Jobs.Remind.Run(func(ctx context.Context, env *Env, payload RemindPayload, job *platform.RunningJob) error {
		kind, _, _ := strings.Cut(payload.Text, ":")
		env.Log.InfoContext(ctx, "in the handler")
		switch {
		case kind == "fail":
			return errors.New("it has failed")
		case kind == "panic":
			panic(payload.Text)
		case kind == "wait" && job.Attempt == 1:
			if err := effect(ctx, job.ID, "began "+payload.Text); err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		case kind == "lose" && job.Attempt == 1:
			if err := effect(ctx, job.ID, "began "+payload.Text); err != nil {
				return err
			}
			// Its lease ends in the meantime.
			time.Sleep(2 * time.Second)
		case kind == "settings":
			timeout, err := platform.Row(ctx, db, pgx.RowTo[string], "SELECT current_setting('statement_timeout')")
			if err != nil {
				return err
			}
			return effect(ctx, job.ID, timeout)
		}
		err := job.Finish(ctx, func(ctx context.Context) error { return effect(ctx, job.ID, payload.Text) })
		if err != nil && kind == "lose" {
			return errors.Join(err, effect(ctx, job.ID, "lost "+payload.Text))
		}
		return err
	})
	env.Jobs.Sweep.Run(func(ctx context.Context, _ *Env, job *platform.RunningJob) error {
		return effect(ctx, job.ID, "swept")
	})
	router.Handle("POST /invoice/jobs", func(w http.ResponseWriter, r *http.Request) error {
		var request struct {
			RemindRequest
			Key        string
			After      time.Duration
			IsRollback bool
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			return err
		}
		options := platform.AddOptions{Key: request.Key}
		if request.After != 0 {
			options.At = time.Now().Add(request.After * time.Millisecond)
		}
		var id int64
		err := db.Transaction(r.Context(), func(ctx context.Context) (err error) {
			id, err = env.Jobs.Remind.Add(ctx, request.RemindRequest, options)
			if err == nil && request.IsRollback {
				err = errRolledBack
			}
			return err
		})
		if err != nil && !errors.Is(err, errRolledBack) {
			return platform.HookError(http.StatusBadRequest, err.Error())
		}
		return platform.JSON(w, http.StatusOK, map[string]int64{"id": id})
	})
	router.Handle("DELETE /invoice/jobs/{key}", func(w http.ResponseWriter, r *http.Request) error {
		wasWaiting, err := env.Jobs.Remind.Cancel(r.Context(), r.PathValue("key"))
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]bool{"wasWaiting": wasWaiting})
	})
	return nil
}
