-- The schema of Purchase: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "purchase" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "product" uuid NOT NULL,
  "when" time NOT NULL,
  CONSTRAINT "purchase__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "purchase__when__check" CHECK ("when" < '24:00:00')
);

COMMENT ON COLUMN "purchase"."_owner" IS 'Id of the token that created it.';
