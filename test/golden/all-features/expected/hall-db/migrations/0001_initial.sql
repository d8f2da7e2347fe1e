-- Creates the tables of Hall. They are new, so this locks and loses nothing.
-- schema: none -> e00a28fd1c6dd954b6df2a968c897201a49f0267bfd8224fece195963b78c669

CREATE TABLE "hall" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "_version" bigint NOT NULL DEFAULT 1,
  "title" text NOT NULL,
  "open" boolean NOT NULL,
  "level" integer NOT NULL,
  "visits" bigint NOT NULL,
  "temperature" double precision NOT NULL,
  "share" real NOT NULL,
  "built" date NOT NULL,
  "closes" time NOT NULL,
  "inspected" timestamptz NOT NULL,
  "plan" bytea NOT NULL,
  "fee" numeric(38,2) NOT NULL,
  "earned" numeric(38,4) NOT NULL,
  "state" text NOT NULL,
  "_badge_size_d2d1bd96" text NOT NULL,
  "phone" text,
  "seats" integer NOT NULL,
  "country" text NOT NULL,
  "added" timestamptz NOT NULL,
  CONSTRAINT "hall__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "hall__level__check" CHECK ("level" BETWEEN -2 AND 10),
  CONSTRAINT "hall__visits__check" CHECK ("visits" >= 0),
  CONSTRAINT "hall__temperature__check" CHECK ("temperature" > '-Infinity'::double precision AND "temperature" < 'Infinity'::double precision),
  CONSTRAINT "hall__share__check" CHECK ("share" >= '0'::real AND "share" <= '1'::real),
  CONSTRAINT "hall__built__check" CHECK ("built" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "hall__closes__check" CHECK ("closes" < '24:00:00'),
  CONSTRAINT "hall__inspected__check" CHECK ("inspected" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "hall__plan__check" CHECK (octet_length("plan") <= 5000000),
  CONSTRAINT "hall__fee__check" CHECK ("fee" BETWEEN 0.00 AND 999.99),
  CONSTRAINT "hall__earned__check" CHECK ("earned" < 'NaN'),
  CONSTRAINT "hall__state__check" CHECK ("state" IN ('closed', 'open', 'sold-out')),
  CONSTRAINT "hall___badge_size_d2d1bd96__check" CHECK ("_badge_size_d2d1bd96" IN ('2xl', 'm', 'xl')),
  CONSTRAINT "hall__phone__check" CHECK (char_length("phone") <= 20),
  CONSTRAINT "hall__seats__check" CHECK ("seats" BETWEEN 0 AND 10000),
  CONSTRAINT "hall__country__check" CHECK (char_length("country") <= 2),
  CONSTRAINT "hall__added__check" CHECK ("added" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "hall__open__id__idx" ON "hall" ("open", "id");

CREATE INDEX "hall__level__id__idx" ON "hall" ("level", "id");

CREATE INDEX "hall__share__id__idx" ON "hall" ("share", "id");

CREATE INDEX "hall__built__id__idx" ON "hall" ("built", "id");

CREATE INDEX "hall__built__id__desc" ON "hall" ("built" DESC NULLS LAST, "id");

CREATE INDEX "hall__state__id__idx" ON "hall" ("state" COLLATE "C", "id");

CREATE INDEX "hall__state__id__desc" ON "hall" ("state" COLLATE "C" DESC NULLS LAST, "id");

CREATE INDEX "hall__phone__id__idx" ON "hall" ("phone" COLLATE "C", "id");

CREATE FUNCTION "hall__version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."_version" := OLD."_version" + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER "hall__version" BEFORE UPDATE ON "hall"
  FOR EACH ROW EXECUTE FUNCTION "hall__version"();

COMMENT ON TABLE "hall" IS 'A hall, with a value of every type.';
COMMENT ON COLUMN "hall"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "hall"."_version" IS 'Counts the changes of the entity.';
COMMENT ON COLUMN "hall"."state" IS 'What visitors can do there.';

CREATE TABLE "booth" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "_version" bigint NOT NULL DEFAULT 1,
  "number" integer NOT NULL,
  "state" text NOT NULL,
  "_created_at" timestamptz NOT NULL DEFAULT now(),
  "_updated_at" timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT "booth__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "booth__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "booth___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "hall" ("id") ON DELETE CASCADE,
  CONSTRAINT "booth__number__check" CHECK ("number" BETWEEN 1 AND 500),
  CONSTRAINT "booth__number__key" UNIQUE ("number"),
  CONSTRAINT "booth__state__check" CHECK ("state" IN ('free', 'taken')),
  CONSTRAINT "booth___created_at__check" CHECK ("_created_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "booth___updated_at__check" CHECK ("_updated_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "booth___parent__id__idx" ON "booth" ("_parent", "id");

CREATE INDEX "booth___parent__number__id__idx" ON "booth" ("_parent", "number", "id");

CREATE INDEX "booth___parent__number__id__desc" ON "booth" ("_parent", "number" DESC NULLS LAST, "id");

CREATE FUNCTION "booth__touch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('portico.keep_timestamps', true) IS DISTINCT FROM 'on' THEN
    NEW."_updated_at" := clock_timestamp();
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "booth__touch" BEFORE UPDATE ON "booth"
  FOR EACH ROW EXECUTE FUNCTION "booth__touch"();

CREATE FUNCTION "booth__version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."_version" := OLD."_version" + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER "booth__version" BEFORE UPDATE ON "booth"
  FOR EACH ROW EXECUTE FUNCTION "booth__version"();

COMMENT ON TABLE "booth" IS 'A place for an exhibitor.';
COMMENT ON COLUMN "booth"."_parent" IS 'The id of the parent entity.';
COMMENT ON COLUMN "booth"."_version" IS 'Counts the changes of the entity.';
COMMENT ON COLUMN "booth"."number" IS 'As on the plan.';
COMMENT ON COLUMN "booth"."_created_at" IS 'When it was created.';
COMMENT ON COLUMN "booth"."_updated_at" IS 'When it was last changed.';

CREATE TABLE "aisle" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "from" uuid NOT NULL,
  "to" uuid NOT NULL,
  "metres" double precision NOT NULL,
  "checked" timestamptz NOT NULL,
  CONSTRAINT "aisle__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "aisle___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "hall" ("id") ON DELETE CASCADE,
  CONSTRAINT "aisle__metres__check" CHECK ("metres" >= '0'::double precision AND "metres" < 'Infinity'::double precision),
  CONSTRAINT "aisle__checked__check" CHECK ("checked" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "aisle__from__to__key" UNIQUE ("from", "to"),
  CONSTRAINT "aisle___parent__metres__key" UNIQUE ("_parent", "metres")
);

CREATE INDEX "aisle___parent__id__idx" ON "aisle" ("_parent", "id");

CREATE INDEX "aisle__from__idx" ON "aisle" ("from");

CREATE INDEX "aisle__to__idx" ON "aisle" ("to");

COMMENT ON TABLE "aisle" IS 'A way between two booths.';
COMMENT ON COLUMN "aisle"."_parent" IS 'The id of the parent entity.';

ALTER TABLE "aisle"
  ADD CONSTRAINT "aisle__from__fkey" FOREIGN KEY ("from", "_parent") REFERENCES "booth" ("id", "_parent");

ALTER TABLE "aisle"
  ADD CONSTRAINT "aisle__to__fkey" FOREIGN KEY ("to", "_parent") REFERENCES "booth" ("id", "_parent");
