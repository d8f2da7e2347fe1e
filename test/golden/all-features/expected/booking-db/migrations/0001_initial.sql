-- Creates the tables of Booking. They are new, so this locks and loses nothing.
-- schema: none -> 70f87a03435cd4d66461f843626218e5d84916bfe492346eb70fa10aa3ca982d

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

CREATE TABLE "_keys" (
  "caller" uuid NOT NULL,
  "key" text NOT NULL,
  "hash" bytea NOT NULL,
  "claim" uuid NOT NULL,
  "expires" timestamptz NOT NULL,
  "status" integer,
  "headers" text,
  "body" text,
  CONSTRAINT "_keys__caller__key__pkey" PRIMARY KEY ("caller", "key")
);

CREATE INDEX "_keys__expires__idx" ON "_keys" ("expires");

COMMENT ON TABLE "_keys" IS 'Requests with an Idempotency-Key, and their responses.';
COMMENT ON COLUMN "_keys"."caller" IS 'The id of the token; the nil UUID without authentication.';
COMMENT ON COLUMN "_keys"."key" IS 'As sent.';
COMMENT ON COLUMN "_keys"."hash" IS 'SHA-256 of the path and the body.';
COMMENT ON COLUMN "_keys"."claim" IS 'Identifies the request that runs or ran.';
COMMENT ON COLUMN "_keys"."expires" IS 'When the request may be sent again, or the response is removed.';
COMMENT ON COLUMN "_keys"."status" IS 'Of the response; NULL while the request runs.';
COMMENT ON COLUMN "_keys"."headers" IS 'Of the response, as JSON.';
COMMENT ON COLUMN "_keys"."body" IS 'Of the response.';
