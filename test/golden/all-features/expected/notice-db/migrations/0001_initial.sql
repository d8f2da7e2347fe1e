-- Creates the tables of Notice. They are new, so this locks and loses nothing.
-- schema: none -> 3c6253f0d4829e951abf430caf63efec74bf32180566858eb2d9dd606a012a4d

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
