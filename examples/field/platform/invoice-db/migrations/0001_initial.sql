-- Creates the tables of Invoice. They are new, so this locks and loses nothing.
-- schema: none -> 7067fb5563f0e0110ea2167915646ccfaab5739eb171012b5103ac40ea8e5cd6

CREATE TABLE "invoice" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "work_order" uuid NOT NULL,
  "customer" uuid NOT NULL,
  "number" integer NOT NULL,
  "total" numeric(38,2) NOT NULL,
  "due_on" date NOT NULL,
  "status" text NOT NULL,
  "paid_at" timestamptz,
  "_created_at" timestamptz NOT NULL DEFAULT now(),
  "_updated_at" timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT "invoice__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invoice__number__key" UNIQUE ("number"),
  CONSTRAINT "invoice__total__check" CHECK ("total" >= 0.00 AND "total" < 'NaN'),
  CONSTRAINT "invoice__due_on__check" CHECK ("due_on" BETWEEN '0001-01-01' AND '9999-12-31'),
  CONSTRAINT "invoice__status__check" CHECK ("status" IN ('draft', 'paid', 'sent', 'void')),
  CONSTRAINT "invoice__paid_at__check" CHECK ("paid_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "invoice___created_at__check" CHECK ("_created_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "invoice___updated_at__check" CHECK ("_updated_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "invoice__work_order__id__idx" ON "invoice" ("work_order", "id");

CREATE INDEX "invoice__customer__id__idx" ON "invoice" ("customer", "id");

CREATE INDEX "invoice__due_on__id__idx" ON "invoice" ("due_on", "id");

CREATE INDEX "invoice__due_on__id__desc" ON "invoice" ("due_on" DESC NULLS LAST, "id");

CREATE INDEX "invoice__status__id__idx" ON "invoice" ("status" COLLATE "C", "id");

CREATE FUNCTION "invoice__touch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('portico.keep_timestamps', true) IS DISTINCT FROM 'on' THEN
    NEW."_updated_at" := clock_timestamp();
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "invoice__touch" BEFORE UPDATE ON "invoice"
  FOR EACH ROW EXECUTE FUNCTION "invoice__touch"();

COMMENT ON TABLE "invoice" IS 'What a customer owes. A work order has one invoice that is not void: see the migration.';
COMMENT ON COLUMN "invoice"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "invoice"."number" IS 'Without gaps, in the order of creation.';
COMMENT ON COLUMN "invoice"."_created_at" IS 'When it was created.';
COMMENT ON COLUMN "invoice"."_updated_at" IS 'When it was last changed.';

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
