-- Creates the tables of Drawing. They are new, so this locks and loses nothing.
-- schema: none -> 24803605443968a6741b342169d7914059e7a8593f810c5d4ad494cd67c9c30a

CREATE TABLE "drawing" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "title" text NOT NULL,
  CONSTRAINT "drawing__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "drawing__title__check" CHECK (char_length("title") <= 100)
);

COMMENT ON COLUMN "drawing"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "node" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "label" text NOT NULL,
  CONSTRAINT "node__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "node__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "node___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "drawing" ("id") ON DELETE CASCADE,
  CONSTRAINT "node__label__check" CHECK (char_length("label") <= 40)
);

CREATE INDEX "node___parent__id__idx" ON "node" ("_parent", "id");

COMMENT ON COLUMN "node"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "edge" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "from" uuid NOT NULL,
  "to" uuid NOT NULL,
  "weight" double precision NOT NULL,
  CONSTRAINT "edge__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "edge__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "edge___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "drawing" ("id") ON DELETE CASCADE,
  CONSTRAINT "edge__weight__check" CHECK ("weight" > '-Infinity'::double precision AND "weight" < 'Infinity'::double precision)
);

CREATE INDEX "edge___parent__id__idx" ON "edge" ("_parent", "id");

CREATE INDEX "edge__from__idx" ON "edge" ("from");

CREATE INDEX "edge__to__idx" ON "edge" ("to");

COMMENT ON COLUMN "edge"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "note" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "about" uuid NOT NULL,
  "node" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "note__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "note___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "drawing" ("id") ON DELETE CASCADE,
  CONSTRAINT "note__text__check" CHECK (char_length("text") <= 200)
);

CREATE INDEX "note___parent__id__idx" ON "note" ("_parent", "id");

CREATE INDEX "note__about__idx" ON "note" ("about");

CREATE INDEX "note__node__idx" ON "note" ("node");

COMMENT ON COLUMN "note"."_parent" IS 'The id of the parent entity.';

ALTER TABLE "edge"
  ADD CONSTRAINT "edge__from__fkey" FOREIGN KEY ("from", "_parent") REFERENCES "node" ("id", "_parent");

ALTER TABLE "edge"
  ADD CONSTRAINT "edge__to__fkey" FOREIGN KEY ("to", "_parent") REFERENCES "node" ("id", "_parent");

ALTER TABLE "note"
  ADD CONSTRAINT "note__about__fkey" FOREIGN KEY ("about", "_parent") REFERENCES "edge" ("id", "_parent");

ALTER TABLE "note"
  ADD CONSTRAINT "note__node__fkey" FOREIGN KEY ("node", "_parent") REFERENCES "node" ("id", "_parent");
