-- Creates the tables of Note. They are new, so this locks and loses nothing.
-- schema: none -> 4e97272c6b2cb5a68e2a0cbaea585d1a7a8478dcad4e8509011a5c3846968f4f

CREATE TABLE "note" (
  "id" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "note__pkey" PRIMARY KEY ("id")
);
