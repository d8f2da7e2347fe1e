-- The schema of User. Run it once in an empty database, as the role that owns the database.

SET client_encoding = 'UTF8';

CREATE TABLE "user" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "bio" text NOT NULL,
  "photo" bytea NOT NULL,
  CONSTRAINT "user__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "user__name__check" CHECK (char_length("name") <= 5),
  CONSTRAINT "user__name__key" UNIQUE ("name"),
  CONSTRAINT "user__bio__key" EXCLUDE USING hash ("bio" WITH =)
);

-- Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.
CREATE FUNCTION "user__serialize"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."bio", 0));
  RETURN NEW;
END
$$;
CREATE TRIGGER "user__serialize" BEFORE INSERT OR UPDATE OF "bio" ON "user"
  FOR EACH ROW EXECUTE FUNCTION "user__serialize"();

CREATE TABLE "badge" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "title" text NOT NULL,
  "first" uuid NOT NULL,
  CONSTRAINT "badge__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "badge__id___parent__key" UNIQUE ("id", "_parent"),
  CONSTRAINT "badge___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "user" ("id") ON DELETE CASCADE,
  CONSTRAINT "badge__title__check" CHECK (char_length("title") BETWEEN 1 AND 80)
);

CREATE INDEX "badge___parent__id__idx" ON "badge" ("_parent", "id");

CREATE INDEX "badge__first__idx" ON "badge" ("first");

COMMENT ON TABLE "badge" IS 'Its documentation.';
COMMENT ON COLUMN "badge"."_parent" IS 'The id of the parent entity.';

ALTER TABLE "badge"
  ADD CONSTRAINT "badge__first__fkey" FOREIGN KEY ("first", "_parent") REFERENCES "badge" ("id", "_parent");
