-- Creates the tables of Speaker. They are new, so this locks and loses nothing.
-- schema: none -> 242c0b03b4821478033073f93d41cdeea8deeb289a8d3b8ed1cbdb60577f2b2d

CREATE TABLE "speaker" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "voice" text NOT NULL,
  "tone" text NOT NULL,
  CONSTRAINT "speaker__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "speaker__name__check" CHECK (char_length("name") <= 80),
  CONSTRAINT "speaker__voice__check" CHECK (char_length("voice") <= 20),
  CONSTRAINT "speaker__tone__check" CHECK (char_length("tone") <= 20)
);

COMMENT ON TABLE "speaker" IS 'The first line.
The second line, with <html> & "quotes".

A new paragraph; umlauts äöü, 漢字 and an emoji 🏠.';
COMMENT ON COLUMN "speaker"."name" IS 'What the speaker is called.';
COMMENT ON COLUMN "speaker"."voice" IS 'On one line.';
COMMENT ON COLUMN "speaker"."tone" IS '@ts-expect-error would be an instruction to the compiler.';
