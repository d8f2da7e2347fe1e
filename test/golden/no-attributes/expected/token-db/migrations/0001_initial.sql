-- Creates the tables of Token. They are new, so this locks and loses nothing.
-- schema: none -> b4e97321752e63aab3359cde5c058b3e046243e9022275fd9023c358218493ce

CREATE TABLE "token" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  CONSTRAINT "token__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "token___owner__id__idx" ON "token" ("_owner", "id");

COMMENT ON COLUMN "token"."_owner" IS 'The id of the token that created the entity.';
