-- The schema of Home: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "home" (
  "id" uuid NOT NULL,
  "rooms" integer NOT NULL,
  CONSTRAINT "home__pkey" PRIMARY KEY ("id")
);
