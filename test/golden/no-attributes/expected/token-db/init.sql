-- The schema of Token: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "token" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  CONSTRAINT "token__pkey" PRIMARY KEY ("id")
);

CREATE INDEX "token___owner__id__idx" ON "token" ("_owner", "id");

COMMENT ON COLUMN "token"."_owner" IS 'Id of the token that created it.';
