-- The schema of String: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "string" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "length" integer NOT NULL,
  CONSTRAINT "string__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "string"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "map" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "key" text NOT NULL,
  CONSTRAINT "map__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "map___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "string" ("id") ON DELETE CASCADE
);

CREATE INDEX "map___parent__id__idx" ON "map" ("_parent", "id");

COMMENT ON COLUMN "map"."_parent" IS 'The entity that it belongs to.';
