-- The schema of Train: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "train" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "from" uuid NOT NULL,
  "to" uuid NOT NULL,
  "driver" uuid NOT NULL,
  CONSTRAINT "train__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "train___owner__id__idx" ON "train" ("_owner", "id");

COMMENT ON COLUMN "train"."_owner" IS 'Id of the token that created it.';

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

COMMENT ON COLUMN "seat"."_parent" IS 'The entity that it belongs to.';
