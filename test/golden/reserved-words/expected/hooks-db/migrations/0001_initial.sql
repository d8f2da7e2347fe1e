-- Creates the tables of Hooks. They are new, so this locks and loses nothing.
-- schema: none -> f2519c1c84a2753c86023d177dd022af5ebaa3979511a61ede9c00bcb9d49400

CREATE TABLE "hooks" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "config" text NOT NULL,
  CONSTRAINT "hooks__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "hooks"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "log" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "log__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "log___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "hooks" ("id") ON DELETE CASCADE
);

CREATE INDEX "log___parent__id__idx" ON "log" ("_parent", "id");

COMMENT ON COLUMN "log"."_parent" IS 'The id of the parent entity.';
