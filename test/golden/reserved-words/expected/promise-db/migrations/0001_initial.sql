-- Creates the tables of Promise. They are new, so this locks and loses nothing.
-- schema: none -> 3cda322334723855b4a66e02ceafee20324b43bc2751a9db28221997d8e98e7d

CREATE TABLE "promise" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "object" uuid NOT NULL,
  "date" uuid NOT NULL,
  CONSTRAINT "promise__pkey" PRIMARY KEY ("id")
);

COMMENT ON COLUMN "promise"."_owner" IS 'The id of the token that created the entity.';
