-- Creates the tables of Statistic. They are new, so this locks and loses nothing.
-- schema: none -> 02d1e449d2f4b8684b8d858d51a8ca5fc0dcbfd495e8957e9cdf7a963bc88081

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
