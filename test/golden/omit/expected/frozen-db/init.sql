-- The schema of Frozen: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "frozen" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "frozen__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "frozen"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "log" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "line" text NOT NULL,
  CONSTRAINT "log__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "log___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "frozen" ("id") ON DELETE CASCADE
);

CREATE INDEX "log___parent__id__idx" ON "log" ("_parent", "id");

COMMENT ON COLUMN "log"."_parent" IS 'The entity that it belongs to.';
