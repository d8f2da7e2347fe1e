-- Creates the tables of Qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa. They are new, so this locks and loses nothing.
-- schema: none -> 0addefd7ef0073d76b244fe3a10607812c37e60df360a873066286d1b2382274

CREATE TABLE "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" text NOT NULL,
  CONSTRAINT "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__106b8ca1__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__970f0bce__check" CHECK (char_length("baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") <= 40)
);

COMMENT ON COLUMN "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"."_owner" IS 'The id of the token that created the entity.';
