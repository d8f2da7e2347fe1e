-- The schema of Reader: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "reader" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "reader__pkey" PRIMARY KEY ("id")
);
