package platform

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

var idempotencyKey = regexp.MustCompile(`^[\x21-\x7e]{1,255}$`)

var errKeyInUse = Conflict("A request with this Idempotency-Key is still running")

// keyClaim is a request that runs. After 30 s, another one with the same key may take its place.
type keyClaim struct {
	db         *DB
	caller, id uuid.UUID
	key        string
	hash       []byte
}

// storedResponse is a response that can be sent again.
type storedResponse struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (s *storedResponse) Header() http.Header            { return s.header }
func (s *storedResponse) WriteHeader(status int)         { s.status = status }
func (s *storedResponse) Write(part []byte) (int, error) { return s.body.Write(part) }
func (s *storedResponse) send(w http.ResponseWriter) error {
	for _, name := range storedHeaders {
		if value := s.header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.WriteHeader(s.status)
	_, _ = w.Write(s.body.Bytes())
	return nil
}

// The headers that belong to a stored response.
var storedHeaders = []string{"Content-Type", "Content-Length", "Location", "ETag"}

// IdempotencyKey is what identifies a create that can be repeated: the Idempotency-Key and the request.
type IdempotencyKey struct {
	values []string
	hash   [sha256.Size]byte
}

// ReadKey reads the key of a request, and its body, which can be read again.
func ReadKey(r *http.Request) (key IdempotencyKey, err error) {
	key.values = r.Header.Values("Idempotency-Key")
	if len(key.values) == 0 {
		return key, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		if _, isLimit := err.(*Error); isLimit {
			return key, err
		}
		return key, BadRequest("Request aborted")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	key.hash = sha256.Sum256(append([]byte(r.URL.Path+"\n"), body...))
	return key, nil
}

// Run runs a create. With a key, it runs once: its response is stored in its transaction, or after it failed because of
// a rule, and is returned again for 24 hours.
func (key IdempotencyKey) Run(
	ctx context.Context, w http.ResponseWriter, db *DB, conflicts map[string]string,
	create func(ctx context.Context, w http.ResponseWriter) error,
) error {
	if len(key.values) == 0 {
		return create(ctx, w)
	}
	if len(key.values) > 1 || !idempotencyKey.MatchString(key.values[0]) {
		return BadRequest("Idempotency-Key must have 1 to 255 visible characters")
	}
	claim := &keyClaim{db: db, caller: CallerOf(ctx).ID, id: uuid.New(), key: key.values[0], hash: key.hash[:]}
	earlier, err := claim.take(ctx)
	if err != nil {
		return err
	}
	if earlier != nil {
		return earlier.send(w)
	}
	var response *storedResponse
	err = db.Transaction(ctx, func(ctx context.Context) error {
		response = &storedResponse{header: http.Header{}}
		if err := create(ctx, response); err != nil {
			return err
		}
		return claim.store(ctx, response)
	})
	if err == nil {
		return response.send(w)
	}
	refusal := refusalOf(err, conflicts)
	if refusal == nil {
		// Lets the request be sent again at once.
		_, _ = db.Exec(ctx, `delete from _keys where caller = $1 and key = $2 and claim = $3`,
			claim.caller, claim.key, claim.id)
		return err
	}
	response = &storedResponse{header: http.Header{}}
	refusal.respond(response)
	if lost := claim.store(ctx, response); lost != nil && !errors.Is(lost, errKeyInUse) {
		return lost
	}
	return err
}

// refusalOf returns the error for a request that a rule of the service refuses, or nil for failures.
func refusalOf(err error, conflicts map[string]string) *Error {
	refusal, isKnown := errors.AsType[*Error](err)
	if !isKnown {
		refusal = violation(err, conflicts)
	}
	if refusal == nil || refusal.Status < 400 || refusal.Status > 499 {
		return nil
	}
	return refusal
}

type keyRow struct {
	isClaimed     bool
	isSame        *bool
	status        *int
	headers, body *string
}

// take claims the key, and removes some that have expired. Returns the response of an earlier request.
func (c *keyClaim) take(ctx context.Context) (*storedResponse, error) {
	for {
		row, err := Row(ctx, c.db, func(row pgx.CollectableRow) (found keyRow, err error) {
			err = row.Scan(&found.isClaimed, &found.isSame, &found.status, &found.headers, &found.body)
			return found, err
		}, `
			with claimed as (
				insert into _keys as k (caller, key, hash, claim, expires)
				values ($1, $2, $3, $4, now() + interval '30 s')
				on conflict (caller, key) do update
				set hash = excluded.hash, claim = excluded.claim, expires = excluded.expires,
					status = null, headers = null, body = null
				where k.expires < now()
				returning 1
			), removed as (
				delete from _keys where (caller, key) in (
					select caller, key from _keys
					where expires < now() and (caller, key) <> ($1, $2)
					order by expires limit 10 for update skip locked
				)
			)
			select exists (select from claimed), hash = $3, status, headers, body
			from (select) as one left join _keys on caller = $1 and key = $2`,
			c.caller, c.key, c.hash, c.id)
		switch {
		case err != nil:
			return nil, err
		case row.isClaimed:
			return nil, nil
		case row.isSame == nil:
			// The other request was stored after the statement began.
			continue
		case !*row.isSame:
			return nil, &Error{
				Status: http.StatusUnprocessableEntity, Message: "Idempotency-Key was used for another request",
			}
		case row.status == nil || row.headers == nil || row.body == nil:
			return nil, errKeyInUse
		}
		response := &storedResponse{status: *row.status}
		response.body.WriteString(*row.body)
		return response, json.Unmarshal([]byte(*row.headers), &response.header)
	}
}

// store stores the response. Returns an error if another request has taken the place of this one.
func (c *keyClaim) store(ctx context.Context, response *storedResponse) error {
	headers, err := json.Marshal(response.header)
	if err != nil {
		return err
	}
	count, err := c.db.Exec(ctx, `
		update _keys set status = $1, headers = $2, body = $3, expires = now() + interval '24 hours'
		where caller = $4 and key = $5 and claim = $6`,
		response.status, string(headers), response.body.String(), c.caller, c.key, c.id)
	if err == nil && count == 0 {
		return errKeyInUse
	}
	return err
}
