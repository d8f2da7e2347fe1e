-- The schema of Worker: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "worker" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "worker__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "worker__name__check" CHECK (char_length("name") <= 80)
);
