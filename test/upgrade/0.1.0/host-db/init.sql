-- The schema of Host: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "host" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "host__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "host__name__check" CHECK (char_length("name") BETWEEN 1 AND 80)
);
