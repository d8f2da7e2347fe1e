-- Creates the tables of Promise. They are new, so this locks and loses nothing.
-- schema: none -> 53072a9dd30125a77bf6facdcec349b1c655a14fcfe85580267918ac1ec617f2

CREATE TABLE "promise" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "object" uuid NOT NULL,
  "date" uuid NOT NULL,
  CONSTRAINT "promise__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "promise"."_owner" IS 'The id of the token that created the entity.';
