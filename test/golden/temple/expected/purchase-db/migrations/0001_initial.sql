-- Creates the tables of Purchase. They are new, so this locks and loses nothing.
-- schema: none -> e5427c0a5fa3a259f62bbaaba0382b10c5407b5e3bfed63164f4c642d909eb22

CREATE TABLE "purchase" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "product" uuid NOT NULL,
  "when" time NOT NULL,
  CONSTRAINT "purchase__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "purchase__when__check" CHECK ("when" < '24:00:00')
);

COMMENT ON COLUMN "purchase"."_owner" IS 'The id of the token that created the entity.';
