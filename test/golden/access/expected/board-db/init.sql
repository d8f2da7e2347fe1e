-- The schema of Board: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "board" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "board__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "board"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "pin" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "colour" text NOT NULL,
  CONSTRAINT "pin__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "pin___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "board" ("id") ON DELETE CASCADE,
  CONSTRAINT "pin__colour__check" CHECK (char_length("colour") <= 20)
);

CREATE INDEX "pin___parent__id__idx" ON "pin" ("_parent", "id");

COMMENT ON COLUMN "pin"."_parent" IS 'The entity that it belongs to.';
