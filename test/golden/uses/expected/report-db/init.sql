-- The schema of Report: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "report" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "report__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "report"."_owner" IS 'Id of the token that created it.';
