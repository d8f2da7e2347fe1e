-- Creates the tables of Purchase. They are new, so this locks and loses nothing.
-- schema: none -> f9aa7bb911f999cbf234643c2793e078f5e8fe65312248ab7041d9991f0f48e0

CREATE TABLE "purchase" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "product" uuid NOT NULL,
  "when" time NOT NULL,
  CONSTRAINT "purchase__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "purchase__when__check" CHECK ("when" < '24:00:00')
);

COMMENT ON COLUMN "purchase"."_owner" IS 'The id of the token that created the entity.';
