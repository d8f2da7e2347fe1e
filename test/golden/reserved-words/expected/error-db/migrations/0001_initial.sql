-- Creates the tables of Error. They are new, so this locks and loses nothing.
-- schema: none -> d74efd59ce551efda2df4ee76e0f758e6be0cd4386466c1f186a9b417bac938c

CREATE TABLE "error" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "message" text NOT NULL,
  "stack" text NOT NULL,
  CONSTRAINT "error__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "error"."_owner" IS 'The id of the token that created the entity.';
