-- Creates the tables of User. They are new, so this locks and loses nothing.
-- schema: none -> 1e0312b48dae990c27fa12ffaa6112197fad20f86d0f3a220a92633c90881de7

CREATE TABLE "user" (
  "id" uuid NOT NULL,
  "order" text NOT NULL,
  CONSTRAINT "user__pkey" PRIMARY KEY ("id")
);
