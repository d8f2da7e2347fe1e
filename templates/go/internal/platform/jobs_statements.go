package platform

// The statements of the queue. A service may change its language while jobs wait, so they are the same in all languages.
// Nothing is locked while a job runs: who takes one gets it for 30 seconds, and counts the attempt, which the end of the
// job asks for.
const (
	addJob = `
		INSERT INTO _job (name, payload, key, run_at) VALUES ($1, $2, $3, coalesce($4::timestamptz, now()))
			ON CONFLICT (name, key) WHERE key IS NOT NULL AND attempt = 0
				DO UPDATE SET payload = excluded.payload, run_at = excluded.run_at
			RETURNING id`
	cancelJob = `DELETE FROM _job WHERE name = $1 AND key = $2 AND attempt = 0`
	takeJobs  = `
		UPDATE _job SET attempt = attempt + 1, run_at = now() + make_interval(secs => 30)
			WHERE id = ANY(ARRAY(
				SELECT id FROM _job AS due WHERE name = $1 AND dead_at IS NULL AND run_at <= now()
					ORDER BY name, run_at, id LIMIT $2 FOR UPDATE SKIP LOCKED))
			RETURNING id, payload, schedule, attempt, now() AS taken_at`
	// In how many milliseconds the first job of each kind is due.
	nextJobs = `
		SELECT name, (SELECT extract(epoch FROM run_at - now()) * 1000 FROM _job WHERE _job.name = kind.name
			AND dead_at IS NULL ORDER BY run_at LIMIT 1)::float AS ms FROM unnest($1::text[]) AS kind (name)`
	renewJobs = `
		UPDATE _job SET run_at = now() + make_interval(secs => 30)
			FROM unnest($1::bigint[], $2::int[]) AS mine (id, attempt)
			WHERE _job.id = mine.id AND _job.attempt = mine.attempt RETURNING _job.id`
	returnJobs = `
		UPDATE _job SET run_at = now() FROM unnest($1::bigint[], $2::int[]) AS mine (id, attempt)
			WHERE _job.id = mine.id AND _job.attempt = mine.attempt`
	finishJob = `DELETE FROM _job WHERE id = $1 AND attempt = $2`
	// A new row: a replica that has lost its lease could otherwise end a later run, whose attempt has the same number.
	finishScheduledJob = `
		WITH ended AS (DELETE FROM _job WHERE id = $1 AND attempt = $2 RETURNING name, payload, schedule)
			INSERT INTO _job (name, payload, schedule, run_at, error)
				SELECT name, payload, schedule, $3::timestamptz, $4::text FROM ended`
	failJob = `
		UPDATE _job SET error = $3, run_at = now() + make_interval(secs => $4), dead_at = CASE WHEN $5 THEN now() END
			WHERE id = $1 AND attempt = $2`
	scheduleJob = `
		INSERT INTO _job (name, payload, schedule, run_at) VALUES ($1, '{}', $2, $3)
			ON CONFLICT (name) WHERE schedule IS NOT NULL DO UPDATE SET schedule = $2, run_at = $3
				WHERE _job.schedule <> $2`
	unscheduleJobs = `DELETE FROM _job WHERE schedule IS NOT NULL AND name <> ALL($1::text[])`
	renameJobs     = `
		UPDATE _job SET name = $1 WHERE name = $2 AND NOT EXISTS (
			SELECT 1 FROM _job AS other WHERE other.name = $1
				AND (other.key = _job.key AND other.attempt = 0 AND _job.attempt = 0
					OR other.schedule IS NOT NULL AND _job.schedule IS NOT NULL))`
)
