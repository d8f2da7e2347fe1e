-- The schema of Topic: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "topic" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "title" text NOT NULL,
  CONSTRAINT "topic__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "topic__title__check" CHECK (char_length("title") <= 80)
);

COMMENT ON TABLE "topic" IS 'Entries refer to it.';
COMMENT ON COLUMN "topic"."_owner" IS 'Id of the token that created it.';
