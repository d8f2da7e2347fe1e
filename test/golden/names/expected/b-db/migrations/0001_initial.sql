-- Creates the tables of B. They are new, so this locks and loses nothing.
-- schema: none -> b54a2bf46b39dd4ec0e31de88979eb5e9f3ad8efb1cec362b8bec52b4f1b35c6

CREATE TABLE "b" (
  "id" uuid NOT NULL,
  "proxy" uuid NOT NULL,
  CONSTRAINT "b__pkey" PRIMARY KEY ("id")
);
