#!/bin/sh
# Runs when the database starts for the first time: makes the service's role, which owns this database and its
# schema and nothing else, then the tables, as that role.
set -eu

# Statements come on standard input: a command line can be seen by other processes.
psql --set=ON_ERROR_STOP=1 --no-psqlrc --quiet --username="${POSTGRES_USER:-postgres}" --dbname="$POSTGRES_DB" <<'SQL'
\getenv role SERVICE_ROLE
\getenv database POSTGRES_DB
\set password `cat "$SERVICE_PASSWORD_FILE"`
CREATE ROLE :"role" LOGIN PASSWORD :'password';
ALTER DATABASE :"database" OWNER TO :"role";
REVOKE ALL ON DATABASE :"database", postgres, template1 FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SET ROLE :"role";
\i /schema/init.sql
SQL
