-- The schema of Drawer: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "drawer" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "drawer__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "drawer___owner__id__idx" ON "drawer" ("_owner", "id");

COMMENT ON COLUMN "drawer"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "paper" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "paper__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "paper___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "drawer" ("id") ON DELETE CASCADE
);

CREATE INDEX "paper___parent__id__idx" ON "paper" ("_parent", "id");

COMMENT ON COLUMN "paper"."_parent" IS 'The entity that it belongs to.';
