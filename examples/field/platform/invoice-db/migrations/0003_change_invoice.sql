-- Creates _job.
-- Widens the list of values of status of invoice.
-- Updates the documentation of invoice.
-- Holds locks that block reads and writes only for a moment.
-- Loses nothing.
-- schema: 7067fb5563f0e0110ea2167915646ccfaab5739eb171012b5103ac40ea8e5cd6 -> fb07bde9e99f1cf77d4bb72fdaded80da2bbd630c2aa29cca45a71456c1d1b66-1

CREATE TABLE "_job" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "name" text NOT NULL,
  "payload" json NOT NULL,
  "key" text,
  "subject" uuid,
  "schedule" text,
  "run_at" timestamptz NOT NULL DEFAULT now(),
  "attempt" integer NOT NULL DEFAULT 0,
  "error" text,
  "dead_at" timestamptz,
  CONSTRAINT "_job__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "_job__name__run_at__id__idx" ON "_job" ("name", "run_at", "id") WHERE "dead_at" IS NULL;

CREATE INDEX "_job__name__subject__id__idx" ON "_job" ("name", "subject", "id") WHERE "subject" IS NOT NULL AND "dead_at" IS NULL;

CREATE INDEX "_job__name__subject__idx" ON "_job" ("name", "subject") WHERE "subject" IS NOT NULL AND "attempt" > 0 AND "dead_at" IS NULL;

CREATE UNIQUE INDEX "_job__name__key__key" ON "_job" ("name", "key") WHERE "key" IS NOT NULL AND "attempt" = 0;

CREATE UNIQUE INDEX "_job__name__key" ON "_job" ("name") WHERE "schedule" IS NOT NULL;

COMMENT ON TABLE "_job" IS 'Jobs that wait, run, or have failed.';
COMMENT ON COLUMN "_job"."id" IS 'In the order in which they were added.';
COMMENT ON COLUMN "_job"."name" IS 'The kind of job.';
COMMENT ON COLUMN "_job"."key" IS 'Of the jobs that wait with a key, there is one.';
COMMENT ON COLUMN "_job"."subject" IS 'Jobs of a subject run one after the other.';
COMMENT ON COLUMN "_job"."schedule" IS 'The cron expression of a scheduled job, which is always one row.';
COMMENT ON COLUMN "_job"."run_at" IS 'When it is due; while it runs, when another replica may take it over.';
COMMENT ON COLUMN "_job"."attempt" IS 'The number of attempts, the running one included.';
COMMENT ON COLUMN "_job"."error" IS 'The kind of error of the last attempt.';
COMMENT ON COLUMN "_job"."dead_at" IS 'When its last attempt failed.';

ALTER TABLE "invoice" DROP CONSTRAINT "invoice__status__check";
ALTER TABLE "invoice"
  ADD CONSTRAINT "invoice__status__check" CHECK ("status" IN ('draft', 'overdue', 'paid', 'sent', 'void')) NOT VALID;

COMMENT ON COLUMN "invoice"."status" IS 'A sent invoice becomes overdue the night after `dueOn`.';
