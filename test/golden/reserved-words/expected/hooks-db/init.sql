-- The schema of Hooks: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "hooks" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "config" text NOT NULL,
  CONSTRAINT "hooks__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "hooks"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "log" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "log__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "log___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "hooks" ("id") ON DELETE CASCADE
);

CREATE INDEX "log___parent__id__idx" ON "log" ("_parent", "id");

COMMENT ON COLUMN "log"."_parent" IS 'The entity that it belongs to.';
