-- Creates the tables of Category. They are new, so this locks and loses nothing.
-- schema: none -> bd441e36e4f0f4a7fabd4378457cd47e4caf68c6782172a7f1aac5005695fed0

CREATE TABLE "category" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "title" text NOT NULL,
  "parent" uuid,
  "owner" uuid,
  "open" boolean NOT NULL,
  "priority" integer NOT NULL,
  "country" text NOT NULL,
  "greeting" text NOT NULL,
  "image" bytea,
  "text" text,
  "share" real,
  "starts" date NOT NULL,
  "at" time,
  "opened_at" timestamptz NOT NULL,
  "closed_at" timestamptz,
  "state" text NOT NULL,
  "size" text,
  "kind" text NOT NULL,
  "rank" integer,
  "count" integer NOT NULL,
  "constructor" text,
  CONSTRAINT "category__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "category__title__check" CHECK (char_length("title") <= 80),
  CONSTRAINT "category__priority__check" CHECK ("priority" BETWEEN 1 AND 5),
  CONSTRAINT "category__country__check" CHECK (char_length("country") <= 2),
  CONSTRAINT "category__image__check" CHECK (octet_length("image") <= 5000),
  CONSTRAINT "category__text__key" EXCLUDE USING hash ("text" WITH =),
  CONSTRAINT "category__share__check" CHECK ("share" >= '0'::real AND "share" <= '1'::real),
  CONSTRAINT "category__starts__check" CHECK ("starts" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "category__at__check" CHECK ("at" < '24:00:00'),
  CONSTRAINT "category__opened_at__check" CHECK ("opened_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "category__closed_at__check" CHECK ("closed_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "category__state__check" CHECK ("state" IN ('closed', 'new', 'open')),
  CONSTRAINT "category__size__check" CHECK ("size" IN ('2xl', 'm', 's')),
  CONSTRAINT "category__kind__check" CHECK ("kind" IN ('2xl', 's')),
  CONSTRAINT "category__rank__check" CHECK ("rank" >= 1),
  CONSTRAINT "category__count__check" CHECK ("count" >= 1),
  CONSTRAINT "category__constructor__check" CHECK (char_length("constructor") <= 5)
);

-- Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.
CREATE FUNCTION "category__serialize"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."text", 0));
  RETURN NEW;
END
$$;
CREATE TRIGGER "category__serialize" BEFORE INSERT OR UPDATE OF "text" ON "category"
  FOR EACH ROW EXECUTE FUNCTION "category__serialize"();

COMMENT ON COLUMN "category"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "category"."parent" IS 'The category that contains it.';

CREATE TABLE "photo" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "caption" text,
  "album" uuid,
  "next" uuid,
  CONSTRAINT "photo__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "photo__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "photo___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "category" ("id") ON DELETE CASCADE,
  CONSTRAINT "photo__caption__check" CHECK (char_length("caption") <= 200)
);

CREATE INDEX "photo___parent__id__idx" ON "photo" ("_parent", "id");

CREATE INDEX "photo__album__idx" ON "photo" ("album");

CREATE INDEX "photo__next__idx" ON "photo" ("next");

COMMENT ON COLUMN "photo"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "album" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "cover" uuid,
  "title" text NOT NULL,
  CONSTRAINT "album__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "album__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "album___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "category" ("id") ON DELETE CASCADE,
  CONSTRAINT "album__title__check" CHECK (char_length("title") <= 20)
);

CREATE INDEX "album___parent__id__idx" ON "album" ("_parent", "id");

CREATE INDEX "album__cover__idx" ON "album" ("cover");

COMMENT ON COLUMN "album"."_parent" IS 'The id of the parent entity.';

ALTER TABLE "photo"
  ADD CONSTRAINT "photo__album__fkey" FOREIGN KEY ("album", "_parent") REFERENCES "album" ("id", "_parent");

ALTER TABLE "photo"
  ADD CONSTRAINT "photo__next__fkey" FOREIGN KEY ("next", "_parent") REFERENCES "photo" ("id", "_parent");

ALTER TABLE "album"
  ADD CONSTRAINT "album__cover__fkey" FOREIGN KEY ("cover", "_parent") REFERENCES "photo" ("id", "_parent");
