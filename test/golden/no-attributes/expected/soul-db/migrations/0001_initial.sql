-- Creates the tables of Soul. They are new, so this locks and loses nothing.
-- schema: none -> 75614a92348b162631e200d449e2bcfedf0df2e0185d4ad564a7b61f05449ff9

CREATE TABLE "soul" (
  "id" uuid NOT NULL,
  CONSTRAINT "soul__pkey" PRIMARY KEY ("id")
);
