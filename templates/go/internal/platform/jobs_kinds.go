package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// JobKind describes a kind of job.
type JobKind struct {
	// The field of `env.Jobs`.
	Field string
	// The names that jobs have in the database. Former is empty if it was never renamed.
	Name, Former string
	// The cron expression, in UTC, of a job that runs by itself.
	Schedule string
	// The next time of the schedule.
	next func(after time.Time) time.Time
	// nil until setup.go has registered the handler.
	run func(ctx context.Context, job *RunningJob) error
}

func (k *JobKind) handle(run func(ctx context.Context, job *RunningJob) error) {
	if k.run != nil {
		panic("a job has one handler")
	}
	k.run = run
}

// Job is a kind of job, whose handler setup.go registers. Added is what its payload is made of.
type Job[Env, Added, Payload any] struct {
	queue *Queue
	env   Env
	kind  *JobKind
	read  func(*Payload, *Values)
}

// NewJob declares a kind of job. `read` reads its payload.
func NewJob[Added, Env, Payload any](
	queue *Queue, env Env, kind JobKind, read func(*Payload, *Values),
) *Job[Env, Added, Payload] {
	queue.add(&kind)
	return &Job[Env, Added, Payload]{queue, env, &kind, read}
}

// Run registers the handler, which runs outside of a transaction. If it returns an error, the job runs again later.
func (j *Job[Env, Added, Payload]) Run(
	handler func(ctx context.Context, env Env, payload Payload, job *RunningJob) error,
) {
	j.kind.handle(func(ctx context.Context, job *RunningJob) error {
		payload, err := j.payloadOf(job.payload)
		if err != nil {
			return err
		}
		return handler(ctx, j.env, payload, job)
	})
}

func (j *Job[Env, Added, Payload]) payloadOf(text []byte) (payload Payload, err error) {
	values := &Values{}
	if err = json.Unmarshal(text, &values.given); err != nil {
		return payload, err
	}
	j.read(&payload, values)
	problem := ""
	switch {
	case len(values.missing) > 0:
		problem = strings.Join(values.missing, ", ") + " must not be null"
	case values.problem != nil:
		problem = strings.Replace(strings.TrimPrefix(values.problem.Error(), "Invalid request parameter "), ": ", " ", 1)
	default:
		return payload, nil
	}
	return payload, fmt.Errorf("invalid payload of the job %s: %s", j.kind.Name, problem)
}

// AddOptions are when and how often a job runs.
type AddOptions struct {
	// As soon as possible if it is zero.
	At time.Time
	// Of the jobs with a key that have not started, there is one: another one takes its place. Empty for none.
	Key string
}

// Add stores a job: in the transaction, if there is one. Returns its id, or an error if the payload is not what is
// declared.
func (j *Job[Env, Added, Payload]) Add(ctx context.Context, payload Added, options AddOptions) (id int64, err error) {
	var text bytes.Buffer
	if err := appendJSON(&text, payload); err != nil {
		return 0, err
	}
	// With defaults, and in the form that every language writes.
	checked, err := j.payloadOf(text.Bytes())
	if err != nil {
		return 0, err
	}
	text.Reset()
	if err := appendJSON(&text, checked); err != nil {
		return 0, err
	}
	var at *time.Time
	if !options.At.IsZero() {
		at = &options.At
	}
	key := &options.Key
	if options.Key == "" {
		key = nil
	}
	id, err = Row(ctx, j.queue.db, pgx.RowTo[int64], addJob, j.kind.Name, json.RawMessage(text.Bytes()), key, at)
	if err != nil {
		return 0, err
	}
	j.queue.db.AfterCommit(ctx, func(context.Context) error {
		j.queue.Wake()
		return nil
	})
	return id, nil
}

// Cancel removes the job with a key that has not started. Tells whether there was one.
func (j *Job[Env, Added, Payload]) Cancel(ctx context.Context, key string) (bool, error) {
	count, err := j.queue.db.Exec(ctx, cancelJob, j.kind.Name, key)
	return count > 0, err
}
