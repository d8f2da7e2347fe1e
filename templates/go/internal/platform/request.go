package platform

import (
	"context"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"

	"github.com/google/uuid"
)

// request is what is known about the request that is being handled.
type request struct {
	id, traceparent, tracestate string
	caller                      Caller
	err                         error
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// Caller is who sent a request, according to its token.
type Caller struct {
	ID uuid.UUID
	// The roles that the token carries.
	Roles []string
	// As received. Calls to other services pass it on. Empty without a valid token.
	Token string
}

// CallerOf returns who sent the request. Without a token, its id is the nil UUID.
func CallerOf(ctx context.Context) Caller {
	if r := requestOf(ctx); r != nil {
		return r.caller
	}
	return Caller{}
}

var (
	requestID   = regexp.MustCompile(`^[\w=-]{1,255}$`)
	traceParent = regexp.MustCompile(`^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$`)
)

// newRequest takes the ids of the request and its trace from the header, or makes new ones.
func newRequest(header http.Header) *request {
	r := &request{id: header.Get("X-Request-Id"), traceparent: header.Get("Traceparent")}
	if r.id == "" || !requestID.MatchString(r.id) {
		r.id = uuid.NewString()
	}
	switch {
	case r.traceparent == "", !traceParent.MatchString(r.traceparent), r.traceID() == strings.Repeat("0", 32),
		r.traceparent[36:52] == strings.Repeat("0", 16):
		random := uuid.New()
		id := hex.EncodeToString(random[:])
		r.traceparent = "00-" + id + "-" + id[16:] + "-01"
	default:
		r.tracestate = header.Get("Tracestate")
	}
	return r
}

func (r *request) traceID() string { return r.traceparent[3:35] }

// PathID returns an id of the path.
func PathID(r *http.Request, name string) (uuid.UUID, error) {
	text := r.PathValue(name)
	id, isValid := ParseID(text)
	if !isValid {
		return id, BadRequest("Invalid id: %s", text)
	}
	return id, nil
}
