-- Creates the tables of Object. They are new, so this locks and loses nothing.
-- schema: none -> 44f5554d71c73b2561b089e1a79b10ea07dc4c73e14daaa21c65f85f543b3a57

CREATE TABLE "object" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "value" text NOT NULL,
  CONSTRAINT "object__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "object"."_owner" IS 'The id of the token that created the entity.';
