package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"example.com/references/internal/cityclient"
	"example.com/references/internal/personclient"
	"example.com/references/internal/platform"
)

func setup(_ context.Context, env *Env, router *platform.Router) error {
	env.Hooks.BeforeCreate.Add(
		func(ctx context.Context, _ *Env, request TripRequest, input *Trip, _ platform.Caller) error {
			if request.Note == "hooked" {
				input.From = request.Stop
			}
			env.Log.WarnContext(ctx, "hook ran: "+request.Note)
			return nil
		})
	city := env.Comm.City
	router.Handle("GET /trip/comm/{id}", func(w http.ResponseWriter, r *http.Request) error {
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		read, err := city.Read(r.Context(), id, platform.CallerOf(r.Context()))
		if errors.Is(err, platform.ErrNotFound) {
			return platform.JSON(w, http.StatusOK, map[string]any{"read": nil})
		}
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"read": read})
	})
	router.Handle("POST /trip/comm", func(w http.ResponseWriter, r *http.Request) error {
		var request map[string]any
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			return err
		}
		var created cityclient.City
		err := city.Send(r.Context(), http.MethodPost, "/api/city", platform.CallerOf(r.Context()), request, &created)
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, map[string]any{"created": created})
	})
	router.Handle("PUT /trip/comm/{id}", func(w http.ResponseWriter, r *http.Request) error {
		id, err := platform.PathID(r, "id")
		if err != nil {
			return err
		}
		request := cityclient.CityRequest{Name: "x", Size: 1}
		if _, err := city.Update(r.Context(), id, request, platform.CallerOf(r.Context())); err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("GET /trip/comm/cities/{sort}", func(w http.ResponseWriter, r *http.Request) error {
		query := cityclient.CityQuery{ListQuery: platform.ListQuery{Sort: r.PathValue("sort")}}
		cities, err := city.List(r.Context(), query, platform.CallerOf(r.Context()))
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, cities)
	})
	router.Handle("POST /trip/comm/many", env.readMany)
	router.Handle("POST /trip/comm/in-transaction", func(w http.ResponseWriter, r *http.Request) error {
		caller := platform.CallerOf(r.Context())
		ask := func(ctx context.Context) { _, _ = city.Read(ctx, caller.ID, caller) }
		err := env.Transaction(r.Context(), func(ctx context.Context) error {
			ask(ctx)
			_, _ = env.Datastore.ReadTrip(ctx, TripID{ID: caller.ID})
			for range 3 {
				ask(ctx)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return platform.JSON(w, http.StatusOK, struct{}{})
	})
	router.Handle("POST /trip/comm/every-operation", env.useEveryOperation)
	return nil
}

func (env *Env) readMany(w http.ResponseWriter, r *http.Request) error {
	ctx, caller := r.Context(), platform.CallerOf(r.Context())
	var request struct {
		IDs    []uuid.UUID
		Parent uuid.UUID
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return err
	}
	answer := map[string][]string{"cities": {}, "people": {}, "trips": {}}
	cities, err := env.Comm.City.ReadMany(ctx, request.IDs, caller)
	for _, city := range cities {
		answer["cities"] = append(answer["cities"], city.Name)
	}
	if err != nil {
		return err
	}
	people, err := env.Comm.Person.ReadMany(ctx, request.IDs, caller)
	for _, person := range people {
		answer["people"] = append(answer["people"], person.Name)
	}
	if err != nil {
		return err
	}
	trips, err := env.Datastore.ReadManyTrip(ctx, request.IDs)
	for _, trip := range trips {
		answer["trips"] = append(answer["trips"], trip.Note)
	}
	if err != nil {
		return err
	}
	legs, err := env.Datastore.ReadManyLeg(ctx, request.Parent, request.IDs)
	if err != nil {
		return err
	}
	return platform.JSON(w, http.StatusOK, map[string]any{
		"cities": answer["cities"], "people": answer["people"], "trips": answer["trips"], "legs": len(legs),
	})
}

// results collects what calls return. The first unexpected error stays.
type results struct{ err error }

func valueOf[T any](all *results, value T, err error) T {
	all.err = cmp.Or(all.err, err)
	return value
}

// missing returns nil for what was not found.
func missing(err error) any {
	if errors.Is(err, platform.ErrNotFound) {
		return nil
	}
	return err
}

func idsOf(cities []cityclient.City) string {
	ids := []string{}
	for _, each := range cities {
		ids = append(ids, each.ID.String())
	}
	return strings.Join(ids, ",")
}

func (env *Env) useEveryOperation(w http.ResponseWriter, r *http.Request) error {
	ctx, caller := r.Context(), platform.CallerOf(r.Context())
	city, person := env.Comm.City, env.Comm.Person
	all := &results{}
	create := func(request cityclient.CityRequest) uuid.UUID {
		created, err := city.Create(ctx, request, caller)
		return valueOf(all, created, err).ID
	}
	list := func(query cityclient.CityQuery) []cityclient.City {
		found, err := city.List(ctx, query, caller)
		return valueOf(all, found, err)
	}
	exists := func(id uuid.UUID) bool {
		found, err := city.Exists(ctx, id, caller)
		return valueOf(all, found, err)
	}
	id := create(cityclient.CityRequest{Name: "Ulm", Size: 1})
	large := create(cityclient.CityRequest{Name: "Ulm", Size: 2, Nickname: new("null")})
	minster, err := city.Sight.Create(ctx, id, cityclient.SightRequest{Name: "Minster"}, caller)
	sight := valueOf(all, minster, err).ID
	_, err = city.Sight.Create(ctx, id, cityclient.SightRequest{Name: "Danube"}, caller)
	valueOf(all, 0, err)
	_, nobody := person.Identify(ctx, caller)
	_, err = person.Create(ctx, personclient.PersonRequest{Name: "Ann"}, caller)
	valueOf(all, 0, err)

	answer := map[string]any{
		"filtered": idsOf(list(cityclient.CityQuery{Name: new("Ulm"), SizeFrom: new(2)})) == large.String(),
		"sorted": idsOf(list(cityclient.CityQuery{
			ListQuery: platform.ListQuery{Sort: "-size"}, SizeIn: []int{1, 2},
		})) == large.String()+","+id.String(),
		"inNone":    list(cityclient.CityQuery{SizeIn: []int{}}),
		"nicknamed": idsOf(list(cityclient.CityQuery{Nickname: platform.Just("null")})) == large.String(),
		"nameless": idsOf(list(cityclient.CityQuery{
			Nickname: platform.Null[string](), Name: new("Ulm"), SizeAbove: new(0),
		})) == id.String(),
	}
	page := []int{}
	for _, each := range list(cityclient.CityQuery{ListQuery: platform.ListQuery{Limit: 1}, SizeIn: []int{1, 2}}) {
		page = append(page, each.Size)
	}
	answer["page"] = page
	updated, err := city.Update(ctx, id, cityclient.CityRequest{Name: "Neu-Ulm", Size: 3}, caller)
	answer["updated"] = valueOf(all, updated, err).Name
	patched, err := city.Patch(ctx, id, cityclient.CityPatch{Nickname: platform.Just("Spatz")}, caller)
	answer["patched"] = valueOf(all, patched, err)
	cleared, err := city.Patch(ctx, id, cityclient.CityPatch{Nickname: platform.Null[string]()}, caller)
	answer["cleared"] = valueOf(all, cleared, err).Nickname
	names := []string{}
	sights, err := city.Sight.List(ctx, id, platform.Page{}, caller)
	for _, each := range valueOf(all, sights, err) {
		names = append(names, each.Name)
	}
	answer["sights"] = names
	answer["byId"] = idsOf(list(cityclient.CityQuery{
		ListQuery: platform.ListQuery{IDIn: []uuid.UUID{large, caller.ID}},
	})) == large.String()
	answer["inNoIds"] = list(cityclient.CityQuery{ListQuery: platform.ListQuery{IDIn: []uuid.UUID{}}})
	read, err := city.Sight.Read(ctx, id, sight, caller)
	answer["sight"] = valueOf(all, read, err).Name
	renamed, err := city.Sight.Update(ctx, id, sight, cityclient.SightRequest{Name: "Ulm Minster"}, caller)
	answer["renamed"] = valueOf(all, renamed, err).Name
	answer["deletedSight"] = city.Sight.Delete(ctx, id, sight, caller) == nil
	answer["deleted"] = city.Delete(ctx, id, caller) == nil
	answer["exists"] = []bool{exists(id), exists(large)}
	identified, err := person.Identify(ctx, caller)
	answer["identified"] = []any{missing(nobody), valueOf(all, identified, err) == caller.ID}

	_, noRead := city.Read(ctx, id, caller)
	_, noUpdate := city.Update(ctx, id, cityclient.CityRequest{Name: "x", Size: 1}, caller)
	_, noPatch := city.Patch(ctx, id, cityclient.CityPatch{}, caller)
	_, noSight := city.Sight.Create(ctx, id, cityclient.SightRequest{Name: "x"}, caller)
	_, noSights := city.Sight.List(ctx, id, platform.Page{}, caller)
	_, otherSight := city.Sight.Read(ctx, large, id, caller)
	answer["missing"] = []any{
		missing(noRead), missing(noUpdate), missing(noPatch), missing(city.Delete(ctx, id, caller)), missing(noSight), missing(noSights),
		missing(otherSight), missing(city.Sight.Delete(ctx, large, id, caller)),
	}
	if all.err != nil {
		return all.err
	}
	return platform.JSON(w, http.StatusOK, answer)
}
