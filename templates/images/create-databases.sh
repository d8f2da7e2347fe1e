#!/bin/bash
# Runs before migrations. Creates the databases and roles of services that the shared Postgres does not have yet. A role
# owns one database and can enter no other. Its password is that of a file.
set -euo pipefail

export PGUSER=postgres PGDATABASE=postgres PGPASSWORD database
PGPASSWORD=$(cat "$ADMIN_PASSWORD_FILE")
run() { psql --set=ON_ERROR_STOP=1 --no-psqlrc --quiet --output=/dev/null "$@"; }

# A server that starts at the same time.
for _ in {1..60}; do if pg_isready --quiet; then break; fi; sleep 1; done

for database in $DATABASES; do
  case $database in external:*) continue ;; esac
  # Two sessions cannot change the same permissions at the same time. The lock ends with the session.
  run <<'SQL'
\getenv database database
\getenv limit CONNECTION_LIMIT
SELECT pg_advisory_lock(0);
REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;
SELECT format('CREATE ROLE %I', :'database') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'database') \gexec
ALTER ROLE :"database" LOGIN CONNECTION LIMIT :limit;
SELECT format('CREATE DATABASE %I OWNER %I TEMPLATE template0', :'database', :'database')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
\connect :"database"
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SQL
  # psql asks twice, and sends only a hash, because the network of a cluster may not be encrypted.
  password=$(cat "/run/secrets/databases/$database/database-password")
  printf '%s\n%s\n' "$password" "$password" | run --command="\\password \"$database\"" 2>&1 | sed '/^Enter /d' >&2
done
