-- The schema of WriteOnly: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "write_only" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "write_only__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "write_only"."_owner" IS 'Id of the token that created it.';
