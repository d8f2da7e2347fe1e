-- The schema of Customer: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "customer" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "loyalty" integer NOT NULL,
  CONSTRAINT "customer__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "customer__name__check" CHECK (char_length("name") <= 80),
  CONSTRAINT "customer__loyalty__check" CHECK ("loyalty" >= 0)
);
