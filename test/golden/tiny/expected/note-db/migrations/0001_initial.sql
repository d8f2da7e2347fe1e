-- Creates the tables of Note. They are new, so this locks and loses nothing.
-- schema: none -> 2f104e1320200ca0749ccd89259c1366dd73bdb279e89a7f16cba11ac9918948

CREATE TABLE "note" (
  "id" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "note__pkey" PRIMARY KEY ("id")
);
