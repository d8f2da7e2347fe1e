-- Creates the tables of Product. They are new, so this locks and loses nothing.
-- schema: none -> d6712e9bc7da361206868af5a29332905c9201b2e632bf557f8cb377cfcc479c

CREATE TABLE "product" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "title" text NOT NULL,
  "shelf" integer NOT NULL,
  "price" real NOT NULL,
  CONSTRAINT "product__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "product__title__check" CHECK (char_length("title") BETWEEN 1 AND 200),
  CONSTRAINT "product__shelf__check" CHECK ("shelf" BETWEEN 1 AND 100),
  CONSTRAINT "product__price__check" CHECK ("price" >= '0'::real AND "price" < 'Infinity'::real)
);

COMMENT ON COLUMN "product"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "review" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "stars" integer NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "review__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "review___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "product" ("id") ON DELETE CASCADE,
  CONSTRAINT "review__stars__check" CHECK ("stars" BETWEEN 1 AND 5)
);

CREATE INDEX "review___parent__id__idx" ON "review" ("_parent", "id");

COMMENT ON COLUMN "review"."_parent" IS 'The id of the parent entity.';
