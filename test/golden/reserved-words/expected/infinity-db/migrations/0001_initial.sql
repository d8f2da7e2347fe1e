-- Creates the tables of Infinity. They are new, so this locks and loses nothing.
-- schema: none -> 1bd422b8890124f0dbcd3442dd80acd047bd65c3499ec0919c2a448389ec9865

CREATE TABLE "infinity" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "infinity__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "infinity"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "na_n" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "na_n__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "na_n___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "infinity" ("id") ON DELETE CASCADE
);

CREATE INDEX "na_n___parent__id__idx" ON "na_n" ("_parent", "id");

COMMENT ON COLUMN "na_n"."_parent" IS 'The id of the parent entity.';
