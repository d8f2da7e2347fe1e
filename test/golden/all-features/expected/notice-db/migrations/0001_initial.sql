-- Creates the tables of Notice. They are new, so this locks and loses nothing.
-- schema: none -> bcfbfc26d1e3d6d54a32c353b935976c2c2ec4959bcb1e126d5b46206d7158f9

CREATE TABLE "notice" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "_version" bigint NOT NULL DEFAULT 1,
  "text" text NOT NULL,
  CONSTRAINT "notice__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notice__text__check" CHECK (char_length("text") <= 500)
);

CREATE FUNCTION "notice__version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."_version" := OLD."_version" + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER "notice__version" BEFORE UPDATE ON "notice"
  FOR EACH ROW EXECUTE FUNCTION "notice__version"();

COMMENT ON TABLE "notice" IS 'Written by organizers only.';
COMMENT ON COLUMN "notice"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "notice"."_version" IS 'Counts the changes of the entity.';

CREATE TABLE "copy" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "hall" uuid NOT NULL,
  CONSTRAINT "copy__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "copy___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "notice" ("id") ON DELETE CASCADE
);

CREATE INDEX "copy___parent__id__idx" ON "copy" ("_parent", "id");

COMMENT ON TABLE "copy" IS 'Where it hangs.';
COMMENT ON COLUMN "copy"."_parent" IS 'The id of the parent entity.';
