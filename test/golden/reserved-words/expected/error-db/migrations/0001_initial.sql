-- Creates the tables of Error. They are new, so this locks and loses nothing.
-- schema: none -> 7cdc6660a863ba6cd7b7e6c0456f1f017787d810144b8aab322ebe629509c8c1

CREATE TABLE "error" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "message" text NOT NULL,
  "stack" text NOT NULL,
  CONSTRAINT "error__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "error"."_owner" IS 'The id of the token that created the entity.';
