-- The schema of Sample: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "sample" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "station" uuid NOT NULL,
  "celsius" double precision NOT NULL,
  CONSTRAINT "sample__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sample__celsius__check" CHECK ("celsius" > '-Infinity'::double precision AND "celsius" < 'Infinity'::double precision)
);

COMMENT ON COLUMN "sample"."_owner" IS 'Id of the token that created it.';
