-- Creates the tables of Statistic. They are new, so this locks and loses nothing.
-- schema: none -> 8dca9204093b6497fd879d518aa262cf1241fa96b78f26020040d5c2483cf779

CREATE TABLE "statistic" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "hall" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "statistic__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "statistic__text__check" CHECK (char_length("text") <= 10000)
);

CREATE INDEX "statistic___owner__id__idx" ON "statistic" ("_owner", "id");

COMMENT ON TABLE "statistic" IS 'Written by custom code only, which also calls bookings.';
COMMENT ON COLUMN "statistic"."_owner" IS 'The id of the token that created the entity.';
