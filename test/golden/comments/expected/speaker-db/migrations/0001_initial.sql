-- Creates the tables of Speaker. They are new, so this locks and loses nothing.
-- schema: none -> dd55f5d0ae858899757904739b260f54d28ff69e28b6802b4ce8a228981df4f3

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
