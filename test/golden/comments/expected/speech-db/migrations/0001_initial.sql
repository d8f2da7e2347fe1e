-- Creates the tables of Speech. They are new, so this locks and loses nothing.
-- schema: none -> 8aff910a56687c81aba21277054fab3478970835da13df5c91ede1df57131e2d

CREATE TABLE "speech" (
  "id" uuid NOT NULL,
  "_owner" uuid NOT NULL,
  "text" text NOT NULL,
  CONSTRAINT "speech__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "speech__text__check" CHECK (char_length("text") <= 10000)
);

COMMENT ON COLUMN "speech"."_owner" IS 'The id of the token that created the entity.';
COMMENT ON COLUMN "speech"."text" IS 'Ends like a comment in TypeScript: * / and in SQL: -- and in HTML: -->';

CREATE TABLE "applause" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "loudness" double precision NOT NULL,
  CONSTRAINT "applause__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "applause___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "speech" ("id") ON DELETE CASCADE,
  CONSTRAINT "applause__loudness__check" CHECK ("loudness" > '-Infinity'::double precision AND "loudness" <= '194'::double precision)
);

CREATE INDEX "applause___parent__id__idx" ON "applause" ("_parent", "id");

COMMENT ON TABLE "applause" IS 'A struct with documentation.';
COMMENT ON COLUMN "applause"."_parent" IS 'The id of the parent entity.';
COMMENT ON COLUMN "applause"."loudness" IS 'How loud, in decibels.';
