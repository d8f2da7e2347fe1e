-- Creates the tables of Customer. They are new, so this locks and loses nothing.
-- schema: none -> 15993ce0c6930cba210b071a2e5bf53090ffe33ebbe73f0ff76aaa2fab552f89

CREATE TABLE "customer" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "loyalty" integer NOT NULL,
  CONSTRAINT "customer__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "customer__name__check" CHECK (char_length("name") <= 80),
  CONSTRAINT "customer__loyalty__check" CHECK ("loyalty" >= 0)
);
