-- Creates the tables of Date. They are new, so this locks and loses nothing.
-- schema: none -> 171375a53458c3bacd2b08a757bb50cb74c30bd46bf3ae8f99180b2b64e3a2a2

CREATE TABLE "date" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "now" timestamptz NOT NULL,
  CONSTRAINT "date__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "date__now__check" CHECK ("now" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

COMMENT ON COLUMN "date"."_owner" IS 'The id of the token that created the entity.';
