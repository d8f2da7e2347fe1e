-- Creates the tables of Object. They are new, so this locks and loses nothing.
-- schema: none -> ea117a35fb2337dc97d57c06c7378b8a34cededa7ce273a6451c116abcb3598f

CREATE TABLE "object" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "value" text NOT NULL,
  CONSTRAINT "object__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "object"."_owner" IS 'The id of the token that created the entity.';
