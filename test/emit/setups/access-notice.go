package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"example.com/access/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	router.Handle("POST /notice/as", func(w http.ResponseWriter, r *http.Request) error {
		ctx := r.Context()
		var request struct {
			Who *platform.Caller
			ID  uuid.UUID
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			return err
		}
		caller, owner := platform.Caller{}, request.ID
		if request.Who != nil {
			caller, owner = *request.Who, request.Who.ID
		}
		notices := env.Datastore.As(caller)
		answer := map[string]any{"read": nil, "list": false}
		created, err := notices.CreateNotice(ctx, Notice{ID: platform.NewID(), Text: "new"}, owner)
		answer["created"] = created.Text
		if refusal, isRefused := errors.AsType[*platform.Error](err); isRefused {
			answer["created"] = refusal.Status
		}
		if found, err := notices.ReadNotice(ctx, NoticeID{ID: request.ID}); err == nil {
			answer["read"] = found.Text
		}
		many, manyErr := notices.ReadManyNotice(ctx, []uuid.UUID{request.ID})
		answer["many"] = len(many)
		list, listErr := notices.ListNotice(ctx, platform.Page{})
		for _, each := range list {
			if each.ID == request.ID {
				answer["list"] = true
			}
		}
		_, err = notices.UpdateNotice(ctx, UpdateNotice{NoticeID: NoticeID{ID: request.ID}, Text: new("notice")})
		answer["updated"] = err == nil
		if err := errors.Join(manyErr, listErr); err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, answer)
	})
	return nil
}
