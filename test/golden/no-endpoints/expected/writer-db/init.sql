-- The schema of Writer: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "writer" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "writer__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "writer__name__check" CHECK (char_length("name") <= 80)
);
