-- Creates the tables of Infinity. They are new, so this locks and loses nothing.
-- schema: none -> 50094648617d0974c034db7481d2bfe8c759e0b945590a328b77935533ec9fd2

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
