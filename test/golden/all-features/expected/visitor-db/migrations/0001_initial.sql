-- Creates the tables of Visitor. They are new, so this locks and loses nothing.
-- schema: none -> 4e6ca400f8775456354003d6e999cbdfa1d5dbadd67b09617b0ab0e798b8ffe5

CREATE TABLE "visitor" (
  "id" uuid NOT NULL,
  "name" text NOT NULL,
  "badge" text NOT NULL,
  "nick" text,
  "tickets" integer NOT NULL,
  "pin_hash" bytea NOT NULL,
  CONSTRAINT "visitor__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "visitor__name__check" CHECK (char_length("name") BETWEEN 1 AND 80),
  CONSTRAINT "visitor__badge__check" CHECK (char_length("badge") <= 12),
  CONSTRAINT "visitor__badge__key" UNIQUE ("badge"),
  CONSTRAINT "visitor__nick__check" CHECK (char_length("nick") <= 20),
  CONSTRAINT "visitor__nick__key" UNIQUE ("nick"),
  CONSTRAINT "visitor__pin_hash__check" CHECK (octet_length("pin_hash") <= 32)
);

COMMENT ON TABLE "visitor" IS 'A guest of the fair.';
COMMENT ON COLUMN "visitor"."nick" IS 'What others call them.';
