-- Creates the tables of HTTPProxy2. They are new, so this locks and loses nothing.
-- schema: none -> 886a41c584cb1e3e3fd4ef2a9e2313df54abd33b2ef5d65b86a7d2cf9b8e63d7

CREATE TABLE "http_proxy2" (
  "id" uuid NOT NULL,
  "a" text NOT NULL,
  "b_c" text NOT NULL,
  "d_ef" integer NOT NULL,
  "user_id" text NOT NULL,
  "ip_v4_address" text NOT NULL,
  "x2y" integer NOT NULL,
  "i_phone" boolean NOT NULL,
  CONSTRAINT "http_proxy2__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "http_proxy2__ip_v4_address__key" EXCLUDE USING hash ("ip_v4_address" WITH =)
);

-- Serializes writes of equal values, which would otherwise deadlock because of the exclusion constraint.
CREATE FUNCTION "http_proxy2__serialize"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."ip_v4_address", 0));
  RETURN NEW;
END
$$;
CREATE TRIGGER "http_proxy2__serialize" BEFORE INSERT OR UPDATE OF "ip_v4_address" ON "http_proxy2"
  FOR EACH ROW EXECUTE FUNCTION "http_proxy2__serialize"();

CREATE TABLE "tls_cert" (
  "id" uuid NOT NULL,
  "_parent" uuid NOT NULL,
  "sha256_sum" bytea NOT NULL,
  "not_after" timestamptz NOT NULL,
  CONSTRAINT "tls_cert__pkey" PRIMARY KEY ("id"),
  CONSTRAINT "tls_cert___parent__fkey" FOREIGN KEY ("_parent") REFERENCES "http_proxy2" ("id") ON DELETE CASCADE,
  CONSTRAINT "tls_cert__sha256_sum__check" CHECK (octet_length("sha256_sum") <= 32),
  CONSTRAINT "tls_cert__not_after__check" CHECK ("not_after" BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z')
);

CREATE INDEX "tls_cert___parent__id__idx" ON "tls_cert" ("_parent", "id");

COMMENT ON COLUMN "tls_cert"."_parent" IS 'The id of the parent entity.';
