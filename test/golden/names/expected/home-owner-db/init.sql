-- The schema of HomeOwner: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "home_owner" (
  "id" uuid NOT NULL,
  "home" uuid NOT NULL,
  CONSTRAINT "home_owner__pkey" PRIMARY KEY ("id")
);
