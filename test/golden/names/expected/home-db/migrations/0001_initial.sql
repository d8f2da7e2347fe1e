-- Creates the tables of Home. They are new, so this locks and loses nothing.
-- schema: none -> 8dcccba6ac0a94fcebcaf4f4f7848b650fcfbdd4bea23415a4f72ebe980450b9

CREATE TABLE "home" (
  "id" uuid NOT NULL,
  "rooms" integer NOT NULL,
  CONSTRAINT "home__pkey" PRIMARY KEY ("id")
);
