
# --- Secrets ---
#
# .secrets/databases/<service>/admin-password      of the database's superuser
# .secrets/databases/<service>/database-password   of the service's role
# .secrets/credentials/1 and 2                     of the gateway's consumer; which is in use: rotation.sh
#
# Containers read copies in volumes of their own, filled through the standard input of a container: a secret is in no
# argument, no environment variable and no label.

random_bytes() { dd if=/dev/urandom bs=32 count=1 2>/dev/null; }
random_password() { random_bytes | od -An -v -tx1 | tr -d ' \n'; }
random_credential() { random_bytes | base64 | tr '+/' '-_' | tr -d '=\n'; }

# Writes the text $2 to the file $1, whole or not at all, for this user alone. The text is in no process list: none
# of these commands is a process.
write_private() {
  if ! (umask 077 && printf '%s\n' "$2" >"$1.new") || ! mv -f "$1.new" "$1"; then
    rm -f "$1.new"
    fail "$1 cannot be written: see to its directory and the disk's free space, and run this again."
  fi
}

make_private_directory() {
  (umask 077 && mkdir -p "$1") || fail "$1 cannot be made: see to its directory and run this again."
}

# The volumes of databases that hold data made with a password that is no longer here.
orphaned_data() {
  local service volumes
  volumes=$(docker volume ls --quiet --filter "label=com.docker.compose.project=$project")
  for service in $(services); do
    if [ ! -s "$secrets/databases/$service/database-password" ] || [ ! -s "$secrets/databases/$service/admin-password" ]; then
      printf '%s\n' "$volumes" | grep -x -- "${project}_$(database_of "$service")-data"
    fi
  done
}

# Makes what is missing, once. A password that is gone while its database is there is not made anew: it would not fit.
make_secrets() {
  local service password lost
  make_private_directory "$secrets"
  chmod 700 "$secrets"
  if [ ! -e "$secrets/.gitignore" ]; then printf '*\n' >"$secrets/.gitignore"; fi
  lost=$(orphaned_data | tr '\n' ' ')
  if [ -n "$lost" ]; then
    fail "The passwords of existing databases are missing from $secrets (volumes: ${lost% }): put $secrets back from a backup, or delete the data with ./deploy.sh destroy, and run this again."
  fi
  for service in $(services); do
    make_private_directory "$secrets/databases/$service"
    for password in admin-password database-password; do
      if [ ! -s "$secrets/databases/$service/$password" ]; then
        write_private "$secrets/databases/$service/$password" "$(random_password)"
      fi
    done
  done
  if [ -n "$AUTHENTICATION" ]; then make_credential; fi
}

# Lays out what containers read as `<user id>/<volume>/<file>`, and fills the volumes where something differs.
install_secrets() {
  local staged=$secrets/.staged service database fingerprint
  rm -rf "$staged"
  for service in $(services); do
    database=$(database_of "$service")
    make_private_directory "$staged/1000/$service-secrets"
    make_private_directory "$staged/999/$database-secrets"
    cp "$secrets/databases/$service/database-password" "$staged/1000/$service-secrets/"
    cp "$secrets/databases/$service/database-password" "$secrets/databases/$service/admin-password" "$staged/999/$database-secrets/"
    if [ -n "$AUTHENTICATION" ]; then
      write_private "$staged/1000/$service-secrets/gateway-credentials" "$(credentials_of "$service")"
    fi
  done
  if [ -n "$AUTHENTICATION" ]; then
    make_private_directory "$staged/101/gateway-secrets"
    write_private "$staged/101/gateway-secrets/tokens.json" "$(gateway_tokens)"
  fi
  fingerprint=$(installed_fingerprint)
  if [ "$fingerprint" != "$(cat "$secrets/.installed" 2>/dev/null)" ]; then
    (cd "$staged" && COPYFILE_DISABLE=1 tar -cf - 1000 999 ${AUTHENTICATION:+101}) |
      logged docker compose --profile secrets run --rm -T --no-deps portico.secrets ||
      explain_failure 'The secrets could not be put into their volumes'
    write_private "$secrets/.installed" "$(installed_fingerprint)"
  fi
  rm -rf "$staged"
}

# Changes with what is installed and with the volumes that it went into.
installed_fingerprint() {
  {
    find "$secrets/.staged" -type f | LC_ALL=C sort | while IFS= read -r file; do cksum <"$file"; done
    docker volume ls --quiet --filter "label=com.docker.compose.project=$project" | grep -e '-secrets$' |
      xargs docker volume inspect --format '{{.Name}} {{.CreatedAt}}' 2>/dev/null
  } | cksum
}
