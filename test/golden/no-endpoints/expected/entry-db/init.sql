-- The schema of Entry: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "entry" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "topic" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "entry__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "entry"."_owner" IS 'Id of the token that created it.';
