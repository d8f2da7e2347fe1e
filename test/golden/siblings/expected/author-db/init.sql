-- The schema of Author: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "author" (
  "id" uuid NOT NULL,
  CONSTRAINT "author__pkey" PRIMARY KEY ("id")
);
