-- The schema of Keeper: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "keeper" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "keeper__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "keeper__name__check" CHECK (char_length("name") <= 80),
  CONSTRAINT "keeper__name__key" UNIQUE ("name")
);
