-- Creates the tables of WorkOrder. They are new, so this locks and loses nothing.
-- schema: none -> e376308f92bbf026e75edefbf6216b536b4ac91c4c3731a4927bf0634f95999c

CREATE TABLE "work_order" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "_version" bigint NOT NULL DEFAULT 1,
  "customer" uuid NOT NULL,
  "title" text NOT NULL,
  "details" text,
  "status" text NOT NULL,
  "technician" uuid,
  "_created_at" timestamptz NOT NULL DEFAULT now(),
  "_updated_at" timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT "work_order__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "work_order__title__check" CHECK (char_length("title") BETWEEN 1 AND 120),
  CONSTRAINT "work_order__details__check" CHECK (char_length("details") <= 5000),
  CONSTRAINT "work_order__status__check" CHECK ("status" IN ('cancelled', 'done', 'draft', 'invoiced', 'scheduled', 'started')),
  CONSTRAINT "work_order___created_at__check" CHECK ("_created_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "work_order___updated_at__check" CHECK ("_updated_at" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "work_order__customer__id__idx" ON "work_order" ("customer", "id");

CREATE INDEX "work_order__status__id__idx" ON "work_order" ("status" COLLATE "C", "id");

CREATE INDEX "work_order__technician__id__idx" ON "work_order" ("technician", "id");

CREATE FUNCTION "work_order__touch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('portico.keep_timestamps', true) IS DISTINCT FROM 'on' THEN
    NEW."_updated_at" := clock_timestamp();
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "work_order__touch" BEFORE UPDATE ON "work_order"
  FOR EACH ROW EXECUTE FUNCTION "work_order__touch"();

CREATE FUNCTION "work_order__version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."_version" := OLD."_version" + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER "work_order__version" BEFORE UPDATE ON "work_order"
  FOR EACH ROW EXECUTE FUNCTION "work_order__version"();

COMMENT ON TABLE "work_order" IS 'Work for a customer. Technicians add lines and photos, the rest is for the office: see the hooks.';
COMMENT ON COLUMN "work_order"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "work_order"."_version" IS 'Counts the changes of the entity.';
COMMENT ON COLUMN "work_order"."_created_at" IS 'When it was created.';
COMMENT ON COLUMN "work_order"."_updated_at" IS 'When it was last changed.';

CREATE TABLE "line" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "text" text NOT NULL,
  "quantity" numeric(38,2) NOT NULL,
  "unit_price" numeric(38,2) NOT NULL,
  CONSTRAINT "line__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "line___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "work_order" ("id") ON DELETE CASCADE,
  CONSTRAINT "line__text__check" CHECK (char_length("text") BETWEEN 1 AND 200),
  CONSTRAINT "line__quantity__check" CHECK ("quantity" BETWEEN 0.00 AND 1000000.00),
  CONSTRAINT "line__unit_price__check" CHECK ("unit_price" BETWEEN 0.00 AND 1000000.00)
);

CREATE INDEX "line___parent__id__idx" ON "line" ("_parent", "id");

COMMENT ON TABLE "line" IS 'Material or working time.';
COMMENT ON COLUMN "line"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "photo" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "image" bytea NOT NULL,
  "caption" text,
  CONSTRAINT "photo__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "photo___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "work_order" ("id") ON DELETE CASCADE,
  CONSTRAINT "photo__image__check" CHECK (octet_length("image") <= 5000000),
  CONSTRAINT "photo__caption__check" CHECK (char_length("caption") <= 200)
);

CREATE INDEX "photo___parent__id__idx" ON "photo" ("_parent", "id");

COMMENT ON COLUMN "photo"."_parent" IS 'The id of the parent entity.';

CREATE TABLE "slot" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "technician" uuid NOT NULL,
  "begins" timestamptz NOT NULL,
  "ends" timestamptz NOT NULL,
  CONSTRAINT "slot__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "slot___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "work_order" ("id") ON DELETE CASCADE,
  CONSTRAINT "slot__begins__check" CHECK ("begins" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'),
  CONSTRAINT "slot__ends__check" CHECK ("ends" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "slot___parent__id__idx" ON "slot" ("_parent", "id");

COMMENT ON TABLE "slot" IS 'When a technician is there. The slots of a technician do not overlap: see the migration.';
COMMENT ON COLUMN "slot"."_parent" IS 'The id of the parent entity.';
