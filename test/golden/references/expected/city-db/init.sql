-- The schema of City: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "city" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "city__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "city__name__check" CHECK (char_length("name") <= 80)
);

COMMENT ON COLUMN "city"."_owner" IS 'Id of the token that created it.';
