-- The schema of A: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "a" (
  "id" uuid NOT NULL,
  "b" uuid NOT NULL,
  CONSTRAINT "a__pkey" PRIMARY KEY ("id")
);
