-- The schema of Object: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "object" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "value" text NOT NULL,
  CONSTRAINT "object__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "object"."_owner" IS 'Id of the token that created it.';
