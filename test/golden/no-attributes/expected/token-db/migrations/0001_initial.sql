-- Creates the tables of Token. They are new, so this locks and loses nothing.
-- schema: none -> 02cc623b68f7037ec92f3d061daf4a3c70e733cfa8a275a59b6b6604e0b17444

CREATE TABLE "token" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  CONSTRAINT "token__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "token___owner__id__idx" ON "token" ("_owner", "id");

COMMENT ON COLUMN "token"."_owner" IS 'The id of the token that created the entity.';
