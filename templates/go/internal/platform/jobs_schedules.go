package platform

import (
	"context"
	"time"

	"github.com/robfig/cron/v3"
)

// ScheduledJob is a kind of job that runs by itself: once for all replicas. Its handler is registered in setup.go.
type ScheduledJob[Env any] struct {
	env  Env
	kind *JobKind
}

// NewScheduledJob declares a kind of job with a schedule.
func NewScheduledJob[Env any](queue *Queue, env Env, kind JobKind) *ScheduledJob[Env] {
	schedule, err := cron.ParseStandard(kind.Schedule)
	if err != nil {
		panic(err)
	}
	kind.next = func(after time.Time) time.Time { return schedule.Next(after.UTC()) }
	queue.add(&kind)
	return &ScheduledJob[Env]{env, &kind}
}

// Run registers the handler, which runs outside of a transaction. If it returns an error, the job runs again later.
func (j *ScheduledJob[Env]) Run(handler func(ctx context.Context, env Env, job *RunningJob) error) {
	j.kind.handle(func(ctx context.Context, job *RunningJob) error { return handler(ctx, j.env, job) })
}
