-- Creates the tables of Train. They are new, so this locks and loses nothing.
-- schema: none -> 0eb1795fa9bc8604edfbe5934c1f16ada2e530e20fed552f512e6d2e940d76a3

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
