-- Creates the tables of Auth. It locks and loses nothing, because they are new.
-- schema: none -> 15422ea331c5ac05c1ae756a26ab91f082580a1a258ef7abef75b94efd3efafc

CREATE TABLE "auth" (
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "password_hash" text NOT NULL,
  CONSTRAINT "auth__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "auth__email__check" CHECK (octet_length("email") <= 254),
  CONSTRAINT "auth__password_hash__check" CHECK (char_length("password_hash") = 60)
);

CREATE UNIQUE INDEX "auth__email__key" ON "auth" (lower("email" COLLATE "C"));

COMMENT ON TABLE "auth" IS 'User accounts.';
COMMENT ON COLUMN "auth"."id" IS 'The `id` of the tokens of the user.';
COMMENT ON COLUMN "auth"."email" IS 'As registered. Compared without regard to case.';
COMMENT ON COLUMN "auth"."password_hash" IS 'Salted bcrypt hash.';
