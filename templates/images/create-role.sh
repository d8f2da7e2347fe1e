#!/bin/sh
# Runs when a database starts for the first time. Creates the service's role, which owns only this database.
set -eu

# Uses standard input because other processes can see command lines.
psql --set=ON_ERROR_STOP=1 --no-psqlrc --quiet --username="${POSTGRES_USER:-postgres}" --dbname="$POSTGRES_DB" <<'SQL'
\getenv role SERVICE_ROLE
\getenv database POSTGRES_DB
\set password `cat "$SERVICE_PASSWORD_FILE"`
CREATE ROLE :"role" LOGIN PASSWORD :'password';
ALTER DATABASE :"database" OWNER TO :"role";
REVOKE ALL ON DATABASE :"database", postgres, template1 FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SQL
