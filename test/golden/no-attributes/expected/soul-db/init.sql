-- The schema of Soul: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "soul" (
  "id" uuid NOT NULL,
  CONSTRAINT "soul__pkey" PRIMARY KEY ("id")
);
