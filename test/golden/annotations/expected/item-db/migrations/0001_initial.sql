-- Creates the tables of Item. They are new, so this locks and loses nothing.
-- schema: none -> 63d3b82296179a382a5c23b8e6ed0bc17afb9d02a3d265bdf6a039f49c128f1c

CREATE TABLE "item" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "label" text NOT NULL,
  "number" integer NOT NULL,
  "weight" double precision NOT NULL,
  "day" date NOT NULL,
  "picture" bytea NOT NULL,
  "keeper" uuid NOT NULL,
  "serial" text NOT NULL,
  "at" timestamptz NOT NULL,
  "counted" integer NOT NULL,
  "checked" boolean NOT NULL,
  "holder" uuid NOT NULL,
  "pin_hash" bytea NOT NULL,
  "opens_at" time NOT NULL,
  "bought" date NOT NULL,
  "price" double precision NOT NULL,
  "digest" text NOT NULL,
  CONSTRAINT "item__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "item__label__check" CHECK (char_length("label") <= 80),
  CONSTRAINT "item__label__key" UNIQUE ("label"),
  CONSTRAINT "item__number__check" CHECK ("number" BETWEEN 1 AND 100),
  CONSTRAINT "item__number__key" UNIQUE ("number"),
  CONSTRAINT "item__weight__check" CHECK ("weight" > '-Infinity'::double precision AND "weight" < 'Infinity'::double precision),
  CONSTRAINT "item__weight__key" UNIQUE ("weight"),
  CONSTRAINT "item__day__check" CHECK ("day" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "item__day__key" UNIQUE ("day"),
  CONSTRAINT "item__picture__key" EXCLUDE USING hash ("picture" WITH =),
  CONSTRAINT "item__keeper__key" UNIQUE ("keeper"),
  CONSTRAINT "item__serial__key" EXCLUDE USING hash ("serial" WITH =),
  CONSTRAINT "item__at__check" CHECK ("at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "item__pin_hash__check" CHECK (octet_length("pin_hash") <= 32),
  CONSTRAINT "item__opens_at__check" CHECK ("opens_at" < '24:00:00'),
  CONSTRAINT "item__bought__check" CHECK ("bought" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "item__price__check" CHECK ("price" > '-Infinity'::double precision AND "price" < 'Infinity'::double precision),
  CONSTRAINT "item__digest__key" EXCLUDE USING hash ("digest" WITH =)
);

-- Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.
CREATE FUNCTION "item__serialize"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(encode(sha256(NEW."picture"), 'hex'), 0));
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."serial", 1));
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."digest", 2));
  RETURN NEW;
END
$$;
CREATE TRIGGER "item__serialize" BEFORE INSERT OR UPDATE OF "picture", "serial", "digest" ON "item"
  FOR EACH ROW EXECUTE FUNCTION "item__serialize"();

COMMENT ON COLUMN "item"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "seal" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "mark" text NOT NULL,
  "hidden" integer NOT NULL,
  CONSTRAINT "seal__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "seal___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "item" ("id") ON DELETE CASCADE,
  CONSTRAINT "seal__mark__check" CHECK (char_length("mark") <= 20),
  CONSTRAINT "seal__mark__key" UNIQUE ("mark")
);

CREATE INDEX "seal___parent__id__idx" ON "seal" ("_parent", "id");

COMMENT ON COLUMN "seal"."_parent" IS 'The id of the parent entity.';
