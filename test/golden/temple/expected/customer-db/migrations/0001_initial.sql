-- Creates the tables of Customer. They are new, so this locks and loses nothing.
-- schema: none -> 54dac44d7175c3a805ed4ebf98b6aa63a868b1b52931cef96553d4a0218a0f69

CREATE TABLE "customer" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "loyalty" integer NOT NULL,
  CONSTRAINT "customer__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "customer__name__check" CHECK (char_length("name") <= 80),
  CONSTRAINT "customer__loyalty__check" CHECK ("loyalty" >= 0)
);
