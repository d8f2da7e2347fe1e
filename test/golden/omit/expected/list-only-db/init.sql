-- The schema of ListOnly: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "list_only" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "list_only__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "list_only___owner__id__idx" ON "list_only" ("_owner", "id");

COMMENT ON COLUMN "list_only"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "ghost" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "ghost__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "ghost___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "list_only" ("id") ON DELETE CASCADE
);

CREATE INDEX "ghost___parent__id__idx" ON "ghost" ("_parent", "id");

COMMENT ON COLUMN "ghost"."_parent" IS 'The entity that it belongs to.';
