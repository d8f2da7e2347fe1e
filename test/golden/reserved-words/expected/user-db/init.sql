-- The schema of User: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "user" (
  "id" uuid NOT NULL,
  "order" text NOT NULL,
  CONSTRAINT "user__pkey" PRIMARY KEY ("id")
);
