-- Creates the tables of Booking. They are new, so this locks and loses nothing.
-- schema: none -> f30cf8faa884912cc978b7519d68bedb5ddc8d1bf49b7eb569e5d45a5b0fbc70

CREATE TABLE "booking" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "hall" uuid NOT NULL,
  "guest" uuid NOT NULL,
  "follows" uuid NOT NULL,
  "instead" uuid,
  "made" date NOT NULL,
  "day" date NOT NULL,
  "confirmed" boolean NOT NULL,
  "_created_at" timestamptz NOT NULL DEFAULT now(),
  "_updated_at" timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT "booking__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "booking__made__check" CHECK ("made" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "booking__day__check" CHECK ("day" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "booking__day__key" UNIQUE ("day"),
  CONSTRAINT "booking___created_at__check" CHECK ("_created_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "booking___updated_at__check" CHECK ("_updated_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "booking__hall__guest__day__key" UNIQUE ("hall", "guest", "day")
);

CREATE INDEX "booking___owner__id__idx" ON "booking" ("_owner", "id");

CREATE INDEX "booking___owner__hall__id__idx" ON "booking" ("_owner", "hall", "id");

CREATE INDEX "booking___owner__day__id__idx" ON "booking" ("_owner", "day", "id");

CREATE INDEX "booking___owner__day__id__desc" ON "booking" ("_owner", "day" DESC NULLS LAST, "id");

CREATE INDEX "booking__hall__id__idx" ON "booking" ("hall", "id");

CREATE INDEX "booking__day__id__idx" ON "booking" ("day", "id");

CREATE INDEX "booking__day__id__desc" ON "booking" ("day" DESC NULLS LAST, "id");

CREATE FUNCTION "booking__touch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('portico.keep_timestamps', true) IS DISTINCT FROM 'on' THEN
    NEW."_updated_at" := clock_timestamp();
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "booking__touch" BEFORE UPDATE ON "booking"
  FOR EACH ROW EXECUTE FUNCTION "booking__touch"();

COMMENT ON TABLE "booking" IS 'A visit that a guest plans.';
COMMENT ON COLUMN "booking"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "booking"."_created_at" IS 'When it was created.';
COMMENT ON COLUMN "booking"."_updated_at" IS 'When it was last changed.';
