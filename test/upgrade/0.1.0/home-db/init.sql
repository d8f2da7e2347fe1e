-- The schema of Home: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "home" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "owner" uuid NOT NULL,
  "address" text NOT NULL,
  "nightly_rate" double precision NOT NULL,
  "listed_at" timestamptz NOT NULL,
  CONSTRAINT "home__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "home__address__check" CHECK (char_length("address") BETWEEN 1 AND 200),
  CONSTRAINT "home__nightly_rate__check" CHECK ("nightly_rate" >= '0'::double precision AND "nightly_rate" < 'Infinity'::double precision),
  CONSTRAINT "home__listed_at__check" CHECK ("listed_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

COMMENT ON COLUMN "home"."_owner" IS 'Id of the token that created it.';

CREATE TABLE "photo" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "caption" text NOT NULL,
  CONSTRAINT "photo__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "photo___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "home" ("id") ON DELETE CASCADE,
  CONSTRAINT "photo__caption__check" CHECK (char_length("caption") <= 200)
);

CREATE INDEX "photo___parent__id__idx" ON "photo" ("_parent", "id");

COMMENT ON COLUMN "photo"."_parent" IS 'The entity that it belongs to.';
