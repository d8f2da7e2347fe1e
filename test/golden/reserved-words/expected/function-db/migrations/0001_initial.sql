-- Creates the tables of Function. They are new, so this locks and loses nothing.
-- schema: none -> ae077b7b9dca16f05799a7e9168b4e6a87664fbc3385a7fdad140f449bf2376d

CREATE TABLE "function" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  "arguments" text NOT NULL,
  CONSTRAINT "function__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "function"."_owner" IS 'The id of the token that created the entity.';
