-- The schema of Qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" text NOT NULL,
  CONSTRAINT "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__106b8ca1__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__970f0bce__check" CHECK (char_length("baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") <= 40)
);

COMMENT ON COLUMN "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"."_owner" IS 'Id of the token that created it.';
