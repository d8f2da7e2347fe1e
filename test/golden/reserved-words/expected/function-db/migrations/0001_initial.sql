-- Creates the tables of Function. They are new, so this locks and loses nothing.
-- schema: none -> 3955de43eda5866596067b41820ec7495e320e21c2d41a1d86e1bfbd11896ce1

CREATE TABLE "function" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  "arguments" text NOT NULL,
  CONSTRAINT "function__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "function"."_owner" IS 'The id of the token that created the entity.';
