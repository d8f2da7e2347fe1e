-- Creates the tables of Create. They are new, so this locks and loses nothing.
-- schema: none -> a21188ca7c677617201f251b87b72dcc23ad0223cb95fcb844ce3520d27add47

CREATE TABLE "create" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "name" text NOT NULL,
  CONSTRAINT "create__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "create"."_owner" IS 'The id of the token that created the entity.';
