-- Checks the existing rows of invoice against its new rules.
-- Reads and writes of invoice continue.
-- Loses nothing.
-- schema: fb07bde9e99f1cf77d4bb72fdaded80da2bbd630c2aa29cca45a71456c1d1b66-1 -> fb07bde9e99f1cf77d4bb72fdaded80da2bbd630c2aa29cca45a71456c1d1b66

ALTER TABLE "invoice" VALIDATE CONSTRAINT "invoice__status__check";
