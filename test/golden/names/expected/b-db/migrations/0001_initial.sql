-- Creates the tables of B. They are new, so this locks and loses nothing.
-- schema: none -> 48fc179b0127f5fc5c261eaa8b225f8c48837e7151c66daf46fa9e644d830da6

CREATE TABLE "b" (
  "id" uuid NOT NULL,
  "proxy" uuid NOT NULL,
  CONSTRAINT "b__pkey" PRIMARY KEY ("id")
);
