-- The schema of Speaker: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "speaker" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "voice" text NOT NULL,
  CONSTRAINT "speaker__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "speaker__name__check" CHECK (char_length("name") <= 80),
  CONSTRAINT "speaker__voice__check" CHECK (char_length("voice") <= 20)
);

COMMENT ON TABLE "speaker" IS 'The first line.
The second line, with <html> & "quotes".

A new paragraph; umlauts äöü, 漢字 and an emoji 🏠.';
COMMENT ON COLUMN "speaker"."name" IS 'What the speaker is called.';
COMMENT ON COLUMN "speaker"."voice" IS 'On one line.';
