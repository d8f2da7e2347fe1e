-- The schema of Auth: run once, in an empty database, by the role that owns it.

SET client_encoding = 'UTF8';

CREATE TABLE "auth" (
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "password_hash" text NOT NULL,
  CONSTRAINT "auth__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "auth__email__check" CHECK (octet_length("email") <= 254),
  CONSTRAINT "auth__password_hash__check" CHECK (char_length("password_hash") = 60)
);

CREATE UNIQUE INDEX "auth__email__key" ON "auth" (lower("email" COLLATE "C"));

COMMENT ON TABLE "auth" IS 'Who can log in.';
COMMENT ON COLUMN "auth"."id" IS 'The `id` of its tokens.';
COMMENT ON COLUMN "auth"."email" IS 'As it was registered; found whatever its case.';
COMMENT ON COLUMN "auth"."password_hash" IS 'By bcrypt, salted.';
