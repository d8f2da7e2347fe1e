-- The schema of Date: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "date" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "now" timestamptz NOT NULL,
  CONSTRAINT "date__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "date__now__check" CHECK ("now" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

COMMENT ON COLUMN "date"."_owner" IS 'Id of the token that created it.';
