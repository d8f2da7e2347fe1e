-- The schema of Draft: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "draft" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "draft__pkey" PRIMARY KEY ("id")
);

COMMENT ON TABLE "draft" IS 'Nobody calls it, nothing refers to it.';
COMMENT ON COLUMN "draft"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "note" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "note__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "note___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "draft" ("id") ON DELETE CASCADE
);

CREATE INDEX "note___parent__id__idx" ON "note" ("_parent", "id");

COMMENT ON COLUMN "note"."_parent" IS 'The entity that it belongs to.';
