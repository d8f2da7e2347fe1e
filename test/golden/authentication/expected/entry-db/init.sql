-- The schema of Entry: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "entry" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "written" date NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "entry__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "entry__written__check" CHECK ("written" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "entry__text__check" CHECK (char_length("text") <= 10000)
);

CREATE INDEX "entry___owner__id__idx" ON "entry" ("_owner", "id");

COMMENT ON COLUMN "entry"."_owner" IS 'Id of the token that created it.';
