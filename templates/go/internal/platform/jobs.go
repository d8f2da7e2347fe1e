package platform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// How late a replica finds what others have added, or have left when they were killed.
	jobPoll  = 5 * time.Second
	jobRetry = time.Second
	// Any time after the next look.
	farMs = 1e6
	// How long a statement of a job may take.
	jobStatementTimeout = time.Minute
)

// Queue runs the jobs that wait in the service's database.
type Queue struct {
	// That of requests, which may add jobs.
	db *DB
	// For the statements of the queue and of jobs; that of requests until the queue is started.
	own    *DB
	log    *slog.Logger
	config Config
	limit  int
	// By the names that jobs may have in the database, of which some are former ones.
	kinds map[string]*JobKind
	// Called at the end of each attempt.
	onEnd func(name string, result jobResult, duration time.Duration)
	// Has a value when something may be due.
	woken chan struct{}
	// Closed when the queue was stopped and has returned what did not end; nil until it is started.
	stopped  chan struct{}
	mutex    sync.Mutex
	running  map[int64]*RunningJob
	attempts sync.WaitGroup
}

// NewQueue creates a queue that runs up to limit jobs at a time, once it is started.
func NewQueue(parts Parts, config Config, limit int) *Queue {
	q := &Queue{
		db: parts.DB, own: parts.DB, log: parts.Log, config: config, limit: limit,
		kinds: map[string]*JobKind{}, running: map[int64]*RunningJob{}, woken: make(chan struct{}, 1),
		onEnd: func(string, jobResult, time.Duration) {},
	}
	// Before what setup.go registers, which jobs may use.
	parts.OnStop(func(context.Context) error {
		if q.stopped != nil {
			<-q.stopped
		}
		return nil
	})
	return q
}

func (q *Queue) add(kind *JobKind) {
	q.kinds[kind.Name] = kind
	// Replicas of the version before the job was renamed may still add some with its former name.
	if kind.Former != "" {
		q.kinds[kind.Former] = kind
	}
}

// RequireHandlers returns an error unless all jobs have a handler, so that the service does not start.
func (q *Queue) RequireHandlers() error {
	var missing []string
	for name, kind := range q.kinds {
		if kind.run == nil && name == kind.Name {
			missing = append(missing, "env.Jobs."+kind.Field+".Run(...)")
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return fmt.Errorf("jobs without a handler: register them in setup.go with %s", strings.Join(missing, ", "))
}

// Start begins to run jobs, with connections of their own. When the context ends, the queue takes no more, gives those
// that run the time to finish, then cancels and returns them.
func (q *Queue) Start(ctx context.Context) error {
	if q.limit == 0 {
		return nil
	}
	config := q.config
	// One more, so that leases are renewed while all jobs are in transactions.
	config.DatabasePoolSize, config.StatementTimeout = q.limit+1, jobStatementTimeout
	own, err := Connect(ctx, config, q.log)
	if err != nil {
		return err
	}
	q.own = own
	q.stopped = make(chan struct{})
	go q.renewUntilStopped()
	go func() {
		defer close(q.stopped)
		q.work(ctx)
		q.stop()
	}()
	return nil
}

// Wake looks for jobs that are due.
func (q *Queue) Wake() {
	select {
	case q.woken <- struct{}{}:
	default:
	}
}

// work starts jobs until the context ends.
func (q *Queue) work(ctx context.Context) {
	// What has been taken is also started.
	own := context.WithoutCancel(ctx)
	for isPrepared := false; ctx.Err() == nil; {
		pause, err := jobRetry, error(nil)
		if !isPrepared {
			err = q.prepare(own)
			isPrepared = err == nil
		}
		if isPrepared {
			pause, err = q.fill(own)
		}
		if err != nil {
			q.log.Warn("Could not read the waiting jobs", errorAttr(err))
			pause = jobRetry
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-q.woken:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// prepare brings the stored jobs to what is declared.
func (q *Queue) prepare(ctx context.Context) error {
	scheduled := []string{}
	for name, kind := range q.kinds {
		if name == kind.Former {
			if _, err := q.own.Exec(ctx, renameJobs, kind.Name, kind.Former); err != nil {
				return err
			}
		} else if kind.next != nil {
			scheduled = append(scheduled, name)
		}
	}
	if _, err := q.own.Exec(ctx, unscheduleJobs, scheduled); err != nil {
		return err
	}
	for _, name := range scheduled {
		if err := q.schedule(ctx, q.kinds[name]); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) schedule(ctx context.Context, kind *JobKind) error {
	_, err := q.own.Exec(ctx, scheduleJob, kind.Name, kind.Schedule, kind.next(time.Now()))
	return err
}

// fill starts what is due, and returns for how long nothing more will be.
func (q *Queue) fill(ctx context.Context) (time.Duration, error) {
	pause := time.Duration((0.8 + 0.4*rand.Float64()) * float64(jobPoll))
	if q.free() <= 0 {
		return pause, nil
	}
	next, err := q.next(ctx)
	if err != nil {
		return 0, err
	}
	for _, each := range next {
		if each.wait > 0 {
			pause = min(pause, each.wait)
			continue
		}
		free := q.free()
		if free <= 0 {
			break
		}
		taken, err := q.take(ctx, each.name, free)
		if err != nil {
			return 0, err
		}
		for _, job := range taken {
			q.attempts.Go(func() { _ = q.attempt(ctx, job) })
		}
		// More may be due.
		if len(taken) > 0 {
			pause = 0
		}
	}
	return pause, nil
}

func (q *Queue) free() int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.limit - len(q.running)
}

// nextJob is how long it takes until the first job of a kind is due.
type nextJob struct {
	name string
	wait time.Duration
}

// next returns when the first job of each kind that has some is due, those first that are due for longest.
func (q *Queue) next(ctx context.Context) ([]nextJob, error) {
	var next []nextJob
	var unscheduled []*JobKind
	scan := func(row pgx.CollectableRow) (name string, err error) {
		var ms *float64
		err = row.Scan(&name, &ms)
		kind := q.kinds[name]
		if ms != nil {
			// Durations end after 292 years.
			next = append(next, nextJob{name, time.Duration(min(*ms, farMs) * float64(time.Millisecond))})
		} else if kind != nil && kind.next != nil && kind.Name == name {
			unscheduled = append(unscheduled, kind)
		}
		return name, err
	}
	names := slices.Collect(maps.Keys(q.kinds))
	if _, err := Rows(ctx, q.own, scan, nextJobs, pgx.QueryExecModeExec, names); err != nil {
		return nil, err
	}
	// A replica of another version may have removed the row of a schedule that it does not know.
	for _, kind := range unscheduled {
		if err := q.schedule(ctx, kind); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(next, func(a, b nextJob) int { return cmp.Compare(a.wait, b.wait) })
	return next, nil
}

// take takes jobs that are due. Its statement is not prepared: Postgres would keep the plan for an empty table, which
// takes seconds when thousands of jobs wait.
func (q *Queue) take(ctx context.Context, name string, limit int) ([]*RunningJob, error) {
	kind := q.kinds[name]
	scan := func(row pgx.CollectableRow) (*RunningJob, error) {
		job := &RunningJob{queue: q, kind: kind}
		var schedule *string
		var takenAt time.Time
		err := row.Scan(&job.ID, &job.payload, &schedule, &job.Attempt, &takenAt)
		if schedule != nil && kind.next != nil {
			job.next = new(kind.next(takenAt))
		}
		return job, err
	}
	taken, err := Rows(ctx, q.own, scan, takeJobs, pgx.QueryExecModeExec, name, limit)
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, job := range taken {
		job.context, job.cancel = context.WithCancelCause(context.WithValue(ctx, jobKey{}, job))
		q.running[job.ID] = job
	}
	return taken, err
}

// RunDue runs what is due, one after the other, until nothing is. Returns the errors. For tests: in a service, the queue
// is started.
func (q *Queue) RunDue(ctx context.Context) error {
	if err := q.prepare(ctx); err != nil {
		return err
	}
	var failures []error
	for {
		next, err := q.next(ctx)
		if err != nil || len(next) == 0 || next[0].wait > 0 {
			return errors.Join(append(failures, err)...)
		}
		taken, err := q.take(ctx, next[0].name, 1)
		failures = append(failures, err)
		for _, job := range taken {
			failures = append(failures, q.attempt(ctx, job))
		}
	}
}
