-- Creates the tables of Inner. They are new, so this locks and loses nothing.
-- schema: none -> 42b7463796ed24af23f1f5af4ddb761cc876381e6b79255410a20cb038ea076f

CREATE TABLE "inner" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "count" integer NOT NULL,
  "seen" timestamptz NOT NULL,
  CONSTRAINT "inner__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "inner__seen__check" CHECK ("seen" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

COMMENT ON COLUMN "inner"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "empty" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  CONSTRAINT "empty__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "empty___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "inner" ("id") ON DELETE CASCADE
);

CREATE INDEX "empty___parent__id__idx" ON "empty" ("_parent", "id");

COMMENT ON COLUMN "empty"."_parent" IS 'The id of the parent entity.';
