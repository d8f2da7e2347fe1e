-- The schema of Error: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "error" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "message" text NOT NULL,
  "stack" text NOT NULL,
  CONSTRAINT "error__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "error"."_owner" IS 'Id of the token that created it.';
