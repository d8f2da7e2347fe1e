-- Creates the tables of B. It locks and loses nothing, because they are new.
-- schema: none -> b54a2bf46b39dd4ec0e31de88979eb5e9f3ad8efb1cec362b8bec52b4f1b35c6

CREATE TABLE "b" (
  "id" uuid NOT NULL,
  "proxy" uuid NOT NULL,
  CONSTRAINT "b__pkey" PRIMARY KEY ("id")
);
