-- The schema of Traveller: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "traveller" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "traveller__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "traveller__name__check" CHECK (char_length("name") <= 80)
);
