-- Creates the tables of Auth. They are new, so this locks and loses nothing.
-- schema: none -> 46cc70da970053bed81668453c2485336855590918e3ff8fe9d9eeb733cf48a7

CREATE TABLE "auth" (
  "id" uuid NOT NULL,
  "email" text NOT NULL,
  "password_hash" text NOT NULL,
  "roles" text[] NOT NULL,
  CONSTRAINT "auth__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "auth__email__check" CHECK (octet_length("email") <= 254),
  CONSTRAINT "auth__password_hash__check" CHECK (char_length("password_hash") BETWEEN 60 AND 60)
);

CREATE UNIQUE INDEX "auth__email__key" ON "auth" (lower("email" COLLATE "C"));

COMMENT ON TABLE "auth" IS 'User accounts.';
COMMENT ON COLUMN "auth"."id" IS 'The `id` of the tokens of the user.';
COMMENT ON COLUMN "auth"."email" IS 'As registered. Compared without regard to case.';
COMMENT ON COLUMN "auth"."password_hash" IS 'Salted bcrypt hash.';
COMMENT ON COLUMN "auth"."roles" IS 'The roles that the tokens of the user carry.';
