-- The schema of Person: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "person" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "person__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "person__name__check" CHECK (char_length("name") <= 80)
);
