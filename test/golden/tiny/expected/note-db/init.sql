-- The schema of Note: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "note" (
  "id" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "note__pkey" PRIMARY KEY ("id")
);
