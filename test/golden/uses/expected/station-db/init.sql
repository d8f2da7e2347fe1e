-- The schema of Station: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "station" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "place" text NOT NULL,
  CONSTRAINT "station__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "station__place__check" CHECK (char_length("place") <= 100)
);

COMMENT ON COLUMN "station"."_owner" IS 'Id of the token that created it.';
