-- The schema of B: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "b" (
  "id" uuid NOT NULL,
  "proxy" uuid NOT NULL,
  CONSTRAINT "b__pkey" PRIMARY KEY ("id")
);
