-- The schema of Poster: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "poster" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "poster__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "poster"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "stamp" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "place" text NOT NULL,
  CONSTRAINT "stamp__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "stamp___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "poster" ("id") ON DELETE CASCADE,
  CONSTRAINT "stamp__place__check" CHECK (char_length("place") <= 20)
);

CREATE INDEX "stamp___parent__id__idx" ON "stamp" ("_parent", "id");

COMMENT ON COLUMN "stamp"."_parent" IS 'The entity that it belongs to.';
