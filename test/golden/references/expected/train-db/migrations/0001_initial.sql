-- Creates the tables of Train. They are new, so this locks and loses nothing.
-- schema: none -> 893ed4733caf13e85f65e2f9b26fbc1fa5e9c8c34d7541d15cc4d45952f4431e

CREATE TABLE "train" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "from" uuid NOT NULL,
  "to" uuid NOT NULL,
  "driver" uuid NOT NULL,
  CONSTRAINT "train__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "train___owner__id__idx" ON "train" ("_owner", "id");

COMMENT ON COLUMN "train"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "seat" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "number" integer NOT NULL,
  "taker" uuid NOT NULL,
  "connection" uuid NOT NULL,
  "through" uuid NOT NULL,
  CONSTRAINT "seat__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "seat___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "train" ("id") ON DELETE CASCADE,
  CONSTRAINT "seat__number__check" CHECK ("number" BETWEEN 1 AND 500),
  CONSTRAINT "seat__number__key" UNIQUE ("number")
);

CREATE INDEX "seat___parent__id__idx" ON "seat" ("_parent", "id");

COMMENT ON COLUMN "seat"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "stop" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  CONSTRAINT "stop__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "stop___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "train" ("id") ON DELETE CASCADE
);

CREATE INDEX "stop___parent__id__idx" ON "stop" ("_parent", "id");

COMMENT ON COLUMN "stop"."_parent" IS 'The id of the parent entity.';
