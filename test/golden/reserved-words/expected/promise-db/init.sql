-- The schema of Promise: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "promise" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "object" uuid NOT NULL,
  "date" uuid NOT NULL,
  CONSTRAINT "promise__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "promise"."_owner" IS 'Id of the token that created it.';
