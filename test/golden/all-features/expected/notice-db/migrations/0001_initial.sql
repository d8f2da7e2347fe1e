-- Creates the tables of Notice. They are new, so this locks and loses nothing.
-- schema: none -> 6d6fdd8a18728cf34b803e924315d451cda546fb58d77f2b3a2d74d503f67ff7

CREATE TABLE "notice" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "notice__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notice__text__check" CHECK (char_length("text") <= 500)
);

COMMENT ON TABLE "notice" IS 'Written by organizers only.';
COMMENT ON COLUMN "notice"."_owner" IS 'The id of the token that created the entity.';

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
