-- Creates the tables of HomeOwner. They are new, so this locks and loses nothing.
-- schema: none -> 48f4e344b9cbf71679d1356c045777e31847a5b023fda814e7b3645ca9459611

CREATE TABLE "home_owner" (
  "id" uuid NOT NULL,
  "home" uuid NOT NULL,
  CONSTRAINT "home_owner__pkey" PRIMARY KEY ("id")
);
