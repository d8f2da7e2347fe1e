-- Creates the tables of User. They are new, so this locks and loses nothing.
-- schema: none -> a3035beb6a7239d593c2d01dbb0325d9c5ddf9264986b8fe64c6468d869b2d76

CREATE TABLE "user" (
  "id" uuid NOT NULL,
  "order" text NOT NULL,
  CONSTRAINT "user__pkey" PRIMARY KEY ("id")
);
