package main

import (
	"context"
	"net/http"
	"sync"

	"example.com/transactions/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	open := make(chan struct{})
	release := sync.OnceFunc(func() { close(open) })
	env.Hooks.BeforeCreate.Add(func(ctx context.Context, env *Env, request MemoRequest, _ *Memo, _ platform.Caller) error {
		if request.Text == "waits" {
			<-open
		}
		if request.Text != "reads" {
			return nil
		}
		_, err := env.Datastore.ListMemo(ctx, platform.Page{Limit: 1})
		return err
	})
	env.Hooks.BeforeUpdate.Add(func(context.Context, *Env, MemoRequest, *UpdateMemo, platform.Caller) error { return nil })
	env.Hooks.AfterUpdate.Add(func(context.Context, *Env, *Memo, platform.Caller) error { return nil })
	router.Handle("POST /memo/open", func(w http.ResponseWriter, _ *http.Request) error {
		release()
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	return nil
}
