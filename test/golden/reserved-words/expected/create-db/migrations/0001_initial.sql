-- Creates the tables of Create. They are new, so this locks and loses nothing.
-- schema: none -> 5e4c31d7ab396162cabfd9450ea2215225f692c4650b9cce4f465b317ed4414e

CREATE TABLE "create" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "create__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "create"."_owner" IS 'The id of the token that created the entity.';
