-- Creates the tables of Order. They are new, so this locks and loses nothing.
-- schema: none -> bbca452526830b54678e3804bda10b044f0127f027796090de9a36678db358ca

CREATE TABLE "order" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "select" text NOT NULL,
  "from" integer NOT NULL,
  "where" boolean NOT NULL,
  "table" text NOT NULL,
  "user" uuid NOT NULL,
  "primary" double precision NOT NULL,
  "constraint" date NOT NULL,
  "references" time NOT NULL,
  "class" text NOT NULL,
  "delete" text NOT NULL,
  "function" text NOT NULL,
  "await" text NOT NULL,
  "default" text NOT NULL,
  "enum" text NOT NULL,
  "interface" text NOT NULL,
  "constructor" text NOT NULL,
  "prototype" text NOT NULL,
  "has_own_property" text NOT NULL,
  "to_string" text NOT NULL,
  "value_of" text NOT NULL,
  "to_json" text NOT NULL,
  "then" text NOT NULL,
  "owner" text NOT NULL,
  "parent" text NOT NULL,
  "input" text NOT NULL,
  "request" text NOT NULL,
  "env" text NOT NULL,
  "caller" text NOT NULL,
  "string" text NOT NULL,
  "int" integer NOT NULL,
  "project" text NOT NULL,
  "service" text NOT NULL,
  "struct" text NOT NULL,
  "error" text NOT NULL,
  "limit" integer NOT NULL,
  "after" text NOT NULL,
  CONSTRAINT "order__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "order__table__key" EXCLUDE USING hash ("table" WITH =),
  CONSTRAINT "order__primary__check" CHECK ("primary" > '-Infinity'::double precision AND "primary" < 'Infinity'::double precision),
  CONSTRAINT "order__constraint__check" CHECK ("constraint" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "order__references__check" CHECK ("references" < '24:00:00')
);

CREATE INDEX "order___owner__id__idx" ON "order" ("_owner", "id");

-- Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.
CREATE FUNCTION "order__serialize"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."table", 0));
  RETURN NEW;
END
$$;
CREATE TRIGGER "order__serialize" BEFORE INSERT OR UPDATE OF "table" ON "order"
  FOR EACH ROW EXECUTE FUNCTION "order__serialize"();

COMMENT ON COLUMN "order"."_owner" IS 'The id of the token that created the entity.';

CREATE TABLE "group" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "all" boolean NOT NULL,
  "user" uuid NOT NULL,
  CONSTRAINT "group__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "group__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "group___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "order" ("id") ON DELETE CASCADE
);

CREATE INDEX "group___parent__id__idx" ON "group" ("_parent", "id");

COMMENT ON COLUMN "group"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "reply" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  CONSTRAINT "reply__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "reply___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "order" ("id") ON DELETE CASCADE
);

CREATE INDEX "reply___parent__id__idx" ON "reply" ("_parent", "id");

COMMENT ON COLUMN "reply"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "order_relations" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "order" text NOT NULL,
  CONSTRAINT "order_relations__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "order_relations___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "order" ("id") ON DELETE CASCADE
);

CREATE INDEX "order_relations___parent__id__idx" ON "order_relations" ("_parent", "id");

COMMENT ON COLUMN "order_relations"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "check" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "group" uuid NOT NULL,
  "unique" integer NOT NULL,
  CONSTRAINT "check__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "check___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "order" ("id") ON DELETE CASCADE,
  CONSTRAINT "check__unique__key" UNIQUE ("unique")
);

CREATE INDEX "check___parent__id__idx" ON "check" ("_parent", "id");

CREATE INDEX "check__group__idx" ON "check" ("group");

COMMENT ON COLUMN "check"."_parent" IS 'The id of the parent entity.';

ALTER TABLE "check"
  ADD CONSTRAINT "check__group__fkey" FOREIGN KEY ("group", "_parent") REFERENCES "group" ("id", "_parent");
