-- Creates the tables of HomeOwner. They are new, so this locks and loses nothing.
-- schema: none -> b4fb18450c2b2f935a126f90407c95b1dde02a02c6a9a1218cc15db369d4947c

CREATE TABLE "home_owner" (
  "id" uuid NOT NULL,
  "home" uuid NOT NULL,
  CONSTRAINT "home_owner__pkey" PRIMARY KEY ("id")
);
