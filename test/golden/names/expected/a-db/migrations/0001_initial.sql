-- Creates the tables of A. They are new, so this locks and loses nothing.
-- schema: none -> 1bf17bd3e8eade148ff3b52066da4bfe5d534e6a26dbc168c7e96f86d4949b8d

CREATE TABLE "a" (
  "id" uuid NOT NULL,
  "b" uuid NOT NULL,
  CONSTRAINT "a__pkey" PRIMARY KEY ("id")
);
