-- The schema of Function: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "function" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  "arguments" text NOT NULL,
  CONSTRAINT "function__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "function"."_owner" IS 'Id of the token that created it.';
