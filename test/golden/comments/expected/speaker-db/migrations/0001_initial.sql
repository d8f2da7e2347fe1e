-- Creates the tables of Speaker. They are new, so this locks and loses nothing.
-- schema: none -> 9a13318328d257c5c9fd2aa5bfdd7046ddb1de7b544345c01e7e0a9add8d7087

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
