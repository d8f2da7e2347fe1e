-- The schema of ReadOnly: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "read_only" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "read_only__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "read_only___owner__id__idx" ON "read_only" ("_owner", "id");

COMMENT ON COLUMN "read_only"."_owner" IS 'Id of the token that created it.';
