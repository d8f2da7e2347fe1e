-- Creates the tables of Soul. They are new, so this locks and loses nothing.
-- schema: none -> 608020402e446b5de7bbd5cb9f3a3c457ea5946b971fc79a3d9b4d0f456d9678

CREATE TABLE "soul" (
  "id" uuid NOT NULL,
  CONSTRAINT "soul__pkey" PRIMARY KEY ("id")
);
