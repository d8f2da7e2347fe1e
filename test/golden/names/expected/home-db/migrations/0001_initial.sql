-- Creates the tables of Home. They are new, so this locks and loses nothing.
-- schema: none -> d8082f69bcf36821cd9cf4a17683b8107798f48bd4bdb217ef218b649d5b28de

CREATE TABLE "home" (
  "id" uuid NOT NULL,
  "rooms" integer NOT NULL,
  CONSTRAINT "home__pkey" PRIMARY KEY ("id")
);
