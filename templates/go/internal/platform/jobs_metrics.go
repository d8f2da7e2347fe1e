package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
)

// Upper bounds of the duration of jobs, in seconds.
var jobBuckets = []float64{0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600}

const countJobs = `
	SELECT name, count(*) FILTER (WHERE dead_at IS NULL)::float AS waiting,
			count(*) FILTER (WHERE dead_at IS NOT NULL)::float AS dead,
			coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE dead_at IS NULL AND run_at <= now())), 0)::float AS oldest
		FROM _job GROUP BY name`

// Report reports the jobs to Prometheus. The names of metrics begin with the prefix.
func (q *Queue) Report(registerer prometheus.Registerer, prefix string) {
	ended := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: prefix + "_jobs_total", Help: "Attempts of jobs, by their result",
	}, []string{"kind", "result"})
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: prefix + "_job_seconds", Help: "Duration of attempts of jobs", Buckets: jobBuckets,
	}, []string{"kind"})
	for _, kind := range q.kinds {
		for _, result := range []jobResult{jobSuccess, jobFailure, jobDead} {
			ended.WithLabelValues(kind.Name, string(result))
		}
		seconds.WithLabelValues(kind.Name)
	}
	q.onEnd = func(name string, result jobResult, duration time.Duration) {
		ended.WithLabelValues(name, string(result)).Inc()
		seconds.WithLabelValues(name).Observe(duration.Seconds())
	}
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prefix+name, help, []string{"kind"}, nil)
	}
	registerer.MustRegister(ended, seconds, &jobCounts{
		queue:   q,
		waiting: describe("_jobs_waiting", "Jobs that wait or run"),
		dead:    describe("_jobs_dead", "Jobs whose last attempt failed"),
		oldest:  describe("_jobs_oldest_seconds", "How long the oldest of the jobs that are due has waited"),
	})
}

// jobCounts counts the jobs in the database when Prometheus asks.
type jobCounts struct {
	queue                 *Queue
	waiting, dead, oldest *prometheus.Desc
}

func (c *jobCounts) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- c.waiting
	descriptions <- c.dead
	descriptions <- c.oldest
}

func (c *jobCounts) Collect(metrics chan<- prometheus.Metric) {
	type count struct {
		Name                  string
		Waiting, Dead, Oldest float64
	}
	rows, err := Rows(context.Background(), c.queue.db, pgx.RowToStructByPos[count], countJobs)
	if err != nil {
		return
	}
	counts := map[string]count{}
	for _, kind := range c.queue.kinds {
		counts[kind.Name] = count{Name: kind.Name}
	}
	for _, row := range rows {
		kind, isKnown := c.queue.kinds[row.Name]
		if !isKnown {
			continue
		}
		sum := counts[kind.Name]
		sum.Waiting += row.Waiting
		sum.Dead += row.Dead
		sum.Oldest = max(sum.Oldest, row.Oldest)
		counts[kind.Name] = sum
	}
	for name, sum := range counts {
		gauge := func(description *prometheus.Desc, value float64) {
			metrics <- prometheus.MustNewConstMetric(description, prometheus.GaugeValue, value, name)
		}
		gauge(c.waiting, sum.Waiting)
		gauge(c.dead, sum.Dead)
		gauge(c.oldest, sum.Oldest)
	}
}
