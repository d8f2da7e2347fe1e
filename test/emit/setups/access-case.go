package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"example.com/access/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	router.Handle("POST /case/as", func(w http.ResponseWriter, r *http.Request) error {
		ctx := r.Context()
		var request struct {
			Who                *platform.Caller
			ID, ParentID, Step uuid.UUID
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			return err
		}
		caller, owner := platform.Caller{}, request.ID
		if request.Who != nil {
			caller, owner = *request.Who, request.Who.ID
		}
		id, parent, step := CaseID{ID: request.ID}, request.ParentID, StepID{ID: request.Step, ParentID: request.ParentID}
		cases := env.Datastore.As(caller)
		answer := map[string]any{"read": nil, "step": nil, "created": nil}
		isCase := func(each Case) bool { return each.ID == request.ID }
		isStep := func(each Step) bool { return each.ID == request.Step }

		created, err := cases.CreateCase(ctx, Case{ID: platform.NewID(), Text: "new"}, owner)
		if refusal, isRefused := errors.AsType[*platform.Error](err); isRefused {
			answer["created"] = refusal.Status
		} else if found, err := cases.ReadCase(ctx, CaseID{ID: created.ID}); err == nil {
			answer["created"] = found.Text
		}
		entry, entryErr := cases.CreateStep(ctx, Step{ID: platform.NewID(), ParentID: parent, Line: "new"})
		answer["createdStep"] = entryErr == nil
		if found, err := cases.ReadCase(ctx, id); err == nil {
			answer["read"] = found.Text
		}
		many, manyErr := cases.ReadManyCase(ctx, []uuid.UUID{request.ID})
		answer["many"] = len(many)
		list, listErr := cases.ListCase(ctx, CaseQuery{})
		answer["list"] = slices.ContainsFunc(list, isCase)
		query := CaseQuery{ListQuery: platform.ListQuery{Total: true}, Text: new("case")}
		filtered, filteredErr := cases.ListCase(ctx, query)
		answer["filtered"] = slices.ContainsFunc(filtered, isCase)
		_, err = cases.UpdateCase(ctx, UpdateCase{CaseID: id, Text: new("case")})
		answer["updated"] = err == nil
		if found, err := cases.ReadStep(ctx, step); err == nil {
			answer["step"] = found.Line
		}
		steps, stepsErr := cases.ListStep(ctx, StepPage{ParentID: parent})
		answer["steps"] = slices.ContainsFunc(steps, isStep)
		manySteps, manyStepsErr := cases.ReadManyStep(ctx, parent, []uuid.UUID{request.Step})
		answer["manySteps"] = len(manySteps)
		_, err = cases.UpdateStep(ctx, UpdateStep{StepID: step, Line: new("step")})
		answer["updatedStep"] = err == nil
		if entryErr == nil {
			step.ID = entry.ID
		}
		answer["deletedStep"] = cases.DeleteStep(ctx, step) == nil
		answer["deleted"] = cases.DeleteCase(ctx, CaseID{ID: parent}) == nil
		if err := errors.Join(manyErr, listErr, filteredErr, stepsErr, manyStepsErr); err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, answer)
	})
	return nil
}
