package main

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/transactions/internal/platform"
)

// lines are collected by hooks, and shown by a route.
type lines struct {
	mutex sync.Mutex
	texts []string
}

func (l *lines) add(text string) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.texts = append(l.texts, text)
	return nil
}

func (l *lines) show(w http.ResponseWriter, _ *http.Request) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return platform.JSON(w, http.StatusOK, slices.Concat([]string{}, l.texts))
}

// outcome is what a test sees of an error.
func outcome(err error) string {
	if err != nil {
		return err.Error()
	}
	return "done"
}

var errNoCredit = platform.HookError(http.StatusPaymentRequired, "No credit")

var late, committed, after lines

func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.Hooks.BeforeCreate.Add(beforeCreate)
	env.Hooks.AfterCreate.Add(func(ctx context.Context, env *Env, note *Note, _ platform.Caller) error {
		fail := func(ctx context.Context) error {
			_, err := env.Datastore.db.Exec(ctx, "select 1 / 0")
			return err
		}
		text := note.Text
		env.AfterCommit(ctx, func(context.Context) error { return committed.add(text) })
		switch text {
		case "catches":
			_ = fail(ctx)
		case "rolls back to a savepoint":
			_ = env.Datastore.db.Savepoint(ctx, fail)
		}
		return nil
	})
	router.Handle("GET /note/late", late.show)
	router.Handle("GET /note/after", after.show)
	router.Handle("GET /note/committed", committed.show)
	router.Handle("POST /note/kept-elsewhere", func(w http.ResponseWriter, r *http.Request) error {
		var kept context.Context
		keep := func(ctx context.Context) error {
			kept = ctx
			return nil
		}
		if err := env.Transaction(r.Context(), keep); err != nil {
			return err
		}
		// Gets the connection of the transaction that has ended.
		isBusy, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
		go func() {
			ended <- env.Transaction(r.Context(), func(context.Context) error {
				close(isBusy)
				<-end
				return nil
			})
		}()
		<-isBusy
		other := env.Transaction(r.Context(), func(ctx context.Context) error {
			if _, err := env.Datastore.ListNote(ctx, platform.Page{}); err != nil {
				return err
			}
			return env.create(kept, "kept elsewhere")
		})
		close(end)
		if err := <-ended; err != nil {
			return err
		}
		status := map[bool]string{true: "rejected", false: "fulfilled"}
		return platform.JSON(w, http.StatusOK, status[other != nil])
	})
	router.Handle("POST /note/nested", func(w http.ResponseWriter, r *http.Request) error {
		err := env.Transaction(r.Context(), func(outer context.Context) error {
			err := env.Transaction(outer, func(inner context.Context) error {
				return cmp.Or(env.create(inner, "inner"), env.create(outer, "outer"))
			})
			return cmp.Or(err, env.create(outer, "outer again"))
		})
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("POST /note/kept", func(w http.ResponseWriter, r *http.Request) error {
		var kept context.Context
		err := env.Transaction(r.Context(), func(ctx context.Context) error {
			kept = ctx
			return nil
		})
		if err := cmp.Or(err, env.create(kept, "kept")); err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	return nil
}

func (env *Env) create(ctx context.Context, text string) error {
	_, err := env.Datastore.CreateNote(ctx, Note{ID: platform.NewID(), Text: text})
	return err
}

func beforeCreate(ctx context.Context, env *Env, request NoteRequest, _ *Note, _ platform.Caller) error {
	text := request.Text
	switch text {
	case "hangs":
		if _, err := env.Datastore.ListNote(ctx, platform.Page{Limit: 1}); err != nil {
			return err
		}
		select {}
	case "takes its time":
		time.Sleep(500 * time.Millisecond)
	case "fails slowly":
		time.Sleep(500 * time.Millisecond)
		return errNoCredit
	case "writes after the commit":
		env.AfterCommit(ctx, func(context.Context) error {
			time.Sleep(200 * time.Millisecond)
			return after.add(outcome(env.create(ctx, "written after the commit")))
		})
	case "fails early":
		env.continueLater(ctx)
		return errNoCredit
	}
	if strings.HasPrefix(text, "uses the outer env") {
		if err := env.useOuterEnv(ctx); err != nil {
			return err
		}
	}
	if strings.Contains(text, "and another transaction") {
		outside := platform.Outside(ctx)
		err := env.Transaction(outside, func(ctx context.Context) error { return env.create(ctx, "outside") })
		if err := cmp.Or(env.create(outside, "outside"), err); err != nil {
			return err
		}
	}
	if strings.HasSuffix(text, "and fails") {
		return errNoCredit
	}
	return nil
}

// continueLater works on when the transaction has ended.
func (env *Env) continueLater(ctx context.Context) {
	run := func(work func() error) {
		go func() {
			time.Sleep(200 * time.Millisecond)
			late.add(outcome(work()))
		}()
	}
	run(func() error { return env.create(ctx, "written late") })
	run(func() error {
		env.AfterCommit(ctx, func(context.Context) error { return late.add("called") })
		return nil
	})
	run(func() error {
		return env.Transaction(platform.Outside(ctx), func(ctx context.Context) error {
			return env.create(ctx, "of another transaction")
		})
	})
	time.Sleep(10 * time.Millisecond)
}

func (env *Env) useOuterEnv(ctx context.Context) error {
	err := env.Transaction(ctx, func(ctx context.Context) error { return env.create(ctx, "a transaction") })
	if err := cmp.Or(env.create(ctx, "a statement"), err); err != nil {
		return err
	}
	_ = env.Datastore.db.Savepoint(ctx, func(ctx context.Context) error {
		if err := env.create(ctx, "of a savepoint"); err != nil {
			return err
		}
		_ = env.Datastore.db.Savepoint(ctx, func(ctx context.Context) error {
			return cmp.Or(env.create(ctx, "undone"), errNoCredit)
		})
		return cmp.Or(env.create(ctx, "undone as well"), errNoCredit)
	})
	env.AfterCommit(ctx, func(context.Context) error { return committed.add("by the outer env") })
	return nil
}
