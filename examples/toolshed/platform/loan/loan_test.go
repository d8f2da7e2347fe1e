package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/toolshed/internal/platform"
	"example.com/toolshed/internal/platform/platformtest"
)

func july(day int) platform.Date {
	return platform.Date{Time: time.Date(2030, time.July, day, 0, 0, 0, 0, time.UTC)}
}

func TestCheckDays(t *testing.T) {
	for _, each := range []struct {
		first, last int
		isValid     bool
	}{
		{1, 1, true},
		{1, 14, true},
		{1, 15, false},
		{2, 1, false},
	} {
		err := checkDays(LoanRequest{FirstDay: july(each.first), LastDay: july(each.last)}, 14)
		if isValid := err == nil; isValid != each.isValid {
			t.Error(each, err)
		}
	}
}

func TestLoans(t *testing.T) {
	ctx := context.Background()
	parts, environment := platformtest.New(t, "loan-db/migrations")
	env := newEnv(readConfig(environment), readSettings(environment), parts)
	// A test passes the id of the caller instead of a token.
	api, err := newAPI(ctx, env, platformtest.Identify)
	if err != nil {
		t.Fatal(err)
	}
	borrower := uuid.New()
	loan := Loan{ID: platform.NewID(), Tool: platform.NewID(), FirstDay: july(1), LastDay: july(3)}
	if _, err := env.Datastore.CreateLoan(ctx, loan, borrower); err != nil {
		t.Fatal(err)
	}
	expectFree := func(first, last int, wanted bool) {
		t.Helper()
		err := env.Datastore.ExpectFree(ctx, Loan{Tool: loan.Tool, FirstDay: july(first), LastDay: july(last)})
		if isFree := err == nil; isFree != wanted {
			t.Error(first, last, err)
		}
	}
	bringBack := func(caller uuid.UUID, status int) {
		t.Helper()
		r := httptest.NewRequest(http.MethodPost, "/loan/"+loan.ID.String()+"/return", nil)
		r.Header.Set("Authorization", caller.String())
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != status {
			t.Error(w.Code, w.Body)
		}
	}
	expectFree(3, 5, false)
	expectFree(4, 5, true)
	bringBack(uuid.New(), http.StatusNotFound)
	bringBack(borrower, http.StatusOK)
	bringBack(borrower, http.StatusConflict)
	expectFree(3, 5, true)
}
