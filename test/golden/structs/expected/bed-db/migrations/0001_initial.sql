-- Creates the tables of Bed. They are new, so this locks and loses nothing.
-- schema: none -> 2e8ea97065df04d063b5da555b9b01300f60105b853e033dde1cd5f06d9a7927

CREATE TABLE "bed" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "bed__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "bed__name__check" CHECK (char_length("name") BETWEEN 1 AND 40),
  CONSTRAINT "bed__name__key" UNIQUE ("name")
);

CREATE TABLE "plant" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "label" text NOT NULL,
  "planted" date NOT NULL,
  CONSTRAINT "plant__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "plant___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "bed" ("id") ON DELETE CASCADE,
  CONSTRAINT "plant__label__check" CHECK (char_length("label") <= 20),
  CONSTRAINT "plant__label__key" UNIQUE ("label"),
  CONSTRAINT "plant__planted__check" CHECK ("planted" BETWEEN '0001-01-01' AND '9999-12-31')
);

CREATE INDEX "plant___parent__id__idx" ON "plant" ("_parent", "id");

COMMENT ON COLUMN "plant"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "watering" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "litres" double precision NOT NULL,
  "done" timestamptz NOT NULL,
  CONSTRAINT "watering__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "watering___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "bed" ("id") ON DELETE CASCADE,
  CONSTRAINT "watering__litres__check" CHECK ("litres" >= '0'::double precision AND "litres" < 'Infinity'::double precision),
  CONSTRAINT "watering__done__check" CHECK ("done" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "watering___parent__id__idx" ON "watering" ("_parent", "id");

COMMENT ON COLUMN "watering"."_parent" IS 'The id of the parent entity.';
