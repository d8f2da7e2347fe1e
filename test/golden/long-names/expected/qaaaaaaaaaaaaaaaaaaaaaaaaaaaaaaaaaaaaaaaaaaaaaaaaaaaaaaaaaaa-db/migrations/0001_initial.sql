-- Creates the tables of Qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa. They are new, so this locks and loses nothing.
-- schema: none -> 8b93a18721d2843755c03dc06d87c00f4d09b1b9a8f66f1a27ba3a48e7b5eb49

CREATE TABLE "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" text NOT NULL,
  CONSTRAINT "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__106b8ca1__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa__970f0bce__check" CHECK (char_length("baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") <= 40)
);

COMMENT ON COLUMN "qaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"."_owner" IS 'The id of the token that created the entity.';
