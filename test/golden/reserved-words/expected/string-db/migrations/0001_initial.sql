-- Creates the tables of String. They are new, so this locks and loses nothing.
-- schema: none -> 23c6a07007d02b03b8245369cc51790f2b840232ae4f3020a0aa1791776887e2

CREATE TABLE "string" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "length" integer NOT NULL,
  CONSTRAINT "string__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "string"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "map" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "key" text NOT NULL,
  CONSTRAINT "map__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "map___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "string" ("id") ON DELETE CASCADE
);

CREATE INDEX "map___parent__id__idx" ON "map" ("_parent", "id");

COMMENT ON COLUMN "map"."_parent" IS 'The id of the parent entity.';
