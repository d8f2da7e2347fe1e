package platform

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The statements are those of TypeScript.
const (
	listJobs = `
  SELECT line FROM (
    SELECT name, 0 AS id, format('%s: %s waiting%s, %s dead', name, count(*) FILTER (WHERE dead_at IS NULL),
        ', due for ' || floor(extract(epoch FROM now() - min(run_at) FILTER (WHERE dead_at IS NULL AND run_at <= now()))) || ' s',
        count(dead_at)) AS line
      FROM _job GROUP BY name
    UNION ALL
    SELECT name, id, format('  %s: %s attempts until %s, the last one failed with %s', id, attempt,
        to_char(dead_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), error)
      FROM _job WHERE dead_at IS NOT NULL
  ) AS lines ORDER BY name, id`
	// Not as the attempt 0, at which a job with a key is unique.
	retryJobs = `
  UPDATE _job SET attempt = 1, run_at = now(), error = NULL, dead_at = NULL
    WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR $1 IN (name, id::text))`
	discardJobs = `DELETE FROM _job WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR $1 IN (name, id::text))`
)

// manageJobs runs the command `jobs`: it lists the jobs of the service, lets the dead ones run again (`retry`), or deletes
// them (`discard`). A further argument is the name of a kind of job or the id of one.
func manageJobs(ctx context.Context, config Config, arguments []string) error {
	conn, err := NewConn(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if len(arguments) == 0 || arguments[0] == "list" {
		rows, err := conn.Query(ctx, listJobs)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, line := range lines {
			fmt.Println(line)
		}
		return err
	}
	statement, done := retryJobs, "will run again"
	switch arguments[0] {
	case "retry":
	case "discard":
		statement, done = discardJobs, "discarded"
	default:
		return fmt.Errorf("unknown action %s: use list, retry or discard", arguments[0])
	}
	var which *string
	if len(arguments) > 1 {
		which = &arguments[1]
	}
	tag, err := conn.Exec(ctx, statement, which)
	if err != nil {
		return err
	}
	jobs := "jobs"
	if tag.RowsAffected() == 1 {
		jobs = "job"
	}
	fmt.Println(tag.RowsAffected(), "dead", jobs, done)
	return nil
}
