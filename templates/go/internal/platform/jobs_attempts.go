package platform

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	jobAttempts   = 20
	firstJobPause = 5 * time.Second
	maxJobPause   = time.Hour
	renewal       = 10 * time.Second
	// How long handlers may take to notice that the service stops.
	abortMargin = time.Second
)

// jobResult is what came of an attempt. A job is dead after its last one.
type jobResult string

const (
	jobSuccess jobResult = "success"
	jobFailure jobResult = "failure"
	jobDead    jobResult = "dead"
)

var (
	errTakenOver = errors.New("the job has ended, or another replica has taken it over")
	errStopping  = errors.New("the service stops")
	// Its process has ended each time, perhaps because of it.
	errKilled = errors.New("the last attempt did not end")
)

// RunningJob is what a handler knows of the job that it runs. Its context ends when the service stops, and when another
// replica has taken the job over.
type RunningJob struct {
	// The same in each attempt.
	ID int64
	// 1 for the first one.
	Attempt int
	queue   *Queue
	kind    *JobKind
	payload []byte
	// The next time of a scheduled job, by the clock of the database, so that one time never counts twice.
	next     *time.Time
	context  context.Context
	cancel   context.CancelCauseFunc
	hasEnded atomic.Bool
}

type jobKey struct{}

// jobOf returns the job that runs in a context; nil for other contexts.
func jobOf(ctx context.Context) *RunningJob {
	job, _ := ctx.Value(jobKey{}).(*RunningJob)
	return job
}

func (j *RunningJob) attrs() []slog.Attr {
	return []slog.Attr{
		slog.String("job", j.kind.Name), slog.String("jobId", strconv.FormatInt(j.ID, 10)), slog.Int("attempt", j.Attempt),
	}
}

// Finish runs work in a transaction that also ends the job: both happen exactly once, or not at all. Statements with the
// context of the work belong to the transaction. Returns an error if the job has ended, or another replica has taken it
// over.
func (j *RunningJob) Finish(ctx context.Context, work func(ctx context.Context) error) error {
	return j.queue.db.Transaction(ctx, func(ctx context.Context) error {
		if err := work(ctx); err != nil {
			return err
		}
		if err := j.end(ctx, nil); err != nil {
			return err
		}
		j.queue.db.AfterCommit(ctx, func(context.Context) error {
			j.hasEnded.Store(true)
			return nil
		})
		return nil
	})
}

// end ends the job, or stores the next time of a scheduled one, possibly with the kind of error of the last attempt.
func (j *RunningJob) end(ctx context.Context, failure *string) error {
	statement, values := finishJob, []any{j.ID, j.Attempt}
	if j.next != nil {
		statement, values = finishScheduledJob, append(values, *j.next, failure)
	}
	count, err := j.queue.own.Exec(ctx, statement, values...)
	if err == nil && count == 0 {
		err = errTakenOver
	}
	return err
}

// attempt runs a job that was taken. Returns its error, if it has failed.
func (q *Queue) attempt(ctx context.Context, job *RunningJob) error {
	began := time.Now()
	defer func() {
		job.cancel(nil)
		q.mutex.Lock()
		// It may run a second time, after this replica could not renew its lease.
		if q.running[job.ID] == job {
			delete(q.running, job.ID)
		}
		q.mutex.Unlock()
		q.Wake()
	}()
	err := errKilled
	if job.Attempt <= jobAttempts {
		err = protected(job.context, func(ctx context.Context) error { return job.kind.run(ctx, job) })
	}
	if err == nil && !job.hasEnded.Load() {
		err = job.end(ctx, nil)
	}
	duration := time.Since(began)
	attrs := []slog.Attr{slog.Float64("durationMs", float64(duration.Microseconds())/1000)}
	if err != nil {
		attrs = append(attrs, errorAttr(err))
	}
	log := func(level slog.Level, message string) { q.log.LogAttrs(job.context, level, message, attrs...) }
	result := jobSuccess
	switch {
	case err == nil:
		log(slog.LevelInfo, "job")
	case job.hasEnded.Load():
		log(slog.LevelError, "A handler failed after it had finished its job")
	case job.context.Err() != nil || errors.Is(err, errTakenOver):
		// Another replica has the job, or the queue returns it.
		log(slog.LevelInfo, "A job was aborted")
		return err
	case job.Attempt >= jobAttempts && job.next == nil:
		result = jobDead
		log(slog.LevelError, "A job is dead")
	default:
		result = jobFailure
		log(slog.LevelWarn, "A job failed")
	}
	if result != jobSuccess {
		if err := job.fail(ctx, err, result); err != nil {
			q.log.WarnContext(job.context, "Could not store that a job failed", errorAttr(err))
		}
	}
	q.onEnd(job.kind.Name, result, duration)
	return err
}

// fail stores that an attempt has failed.
func (j *RunningJob) fail(ctx context.Context, failure error, result jobResult) error {
	kind := errorKind(failure)
	if j.Attempt >= jobAttempts && j.next != nil {
		return j.end(ctx, &kind)
	}
	pause := min(maxJobPause, firstJobPause<<min(j.Attempt-1, 12)).Seconds() * (0.9 + 0.2*rand.Float64())
	_, err := j.queue.own.Exec(ctx, failJob, j.ID, j.Attempt, kind, pause, result == jobDead)
	return err
}

// errorKind is what is stored of an error.
func errorKind(err error) string {
	if failure, isPostgres := errors.AsType[*pgconn.PgError](err); isPostgres {
		return failure.Code
	}
	return typeName(err)
}

func (q *Queue) renewUntilStopped() {
	ticker := time.NewTicker(renewal)
	defer ticker.Stop()
	for {
		select {
		case <-q.stopped:
			return
		case <-ticker.C:
			if err := q.renew(); err != nil {
				q.log.Warn("Could not renew the leases of jobs", errorAttr(err))
			}
		}
	}
}

// renew keeps what runs. What another replica has taken over in the meantime is canceled.
func (q *Queue) renew() error {
	mine, ids, attempts := q.leases()
	if len(mine) == 0 {
		return nil
	}
	kept, err := Rows(context.Background(), q.own, pgx.RowTo[int64], renewJobs, ids, attempts)
	if err != nil {
		return err
	}
	for _, job := range mine {
		if !slices.Contains(kept, job.ID) && !job.hasEnded.Load() {
			job.cancel(errTakenOver)
		}
	}
	return nil
}

// leases returns the jobs that run, with their ids and attempts.
func (q *Queue) leases() (mine []*RunningJob, ids []int64, attempts []int) {
	q.mutex.Lock()
	mine = slices.Collect(maps.Values(q.running))
	q.mutex.Unlock()
	for _, job := range mine {
		ids, attempts = append(ids, job.ID), append(attempts, job.Attempt)
	}
	return mine, ids, attempts
}

// stop waits for the jobs that run, then cancels and returns them.
func (q *Queue) stop() {
	done := make(chan struct{})
	go func() {
		q.attempts.Wait()
		close(done)
	}()
	select {
	case <-done:
		q.own.Close()
		return
	case <-time.After(q.config.ShutdownTimeout):
	}
	left, ids, attempts := q.leases()
	for _, job := range left {
		job.cancel(errStopping)
	}
	select {
	case <-done:
	case <-time.After(abortMargin):
	}
	if _, err := q.own.Exec(context.Background(), returnJobs, ids, attempts); err != nil {
		q.log.Warn("Could not return the jobs that were running", errorAttr(err))
	}
}
