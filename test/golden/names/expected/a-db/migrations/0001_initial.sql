-- Creates the tables of A. They are new, so this locks and loses nothing.
-- schema: none -> 8eaabeb8efbecd29da966a2536cc65c43438822007fe595bc988581b5362d40e

CREATE TABLE "a" (
  "id" uuid NOT NULL,
  "b" uuid NOT NULL,
  CONSTRAINT "a__pkey" PRIMARY KEY ("id")
);
