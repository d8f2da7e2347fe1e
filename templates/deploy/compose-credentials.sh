readonly SECRETS=.secrets CREDENTIALS=.secrets/credentials
publish_secrets() { :; }
await_readers() { sleep "$READ_SECONDS"; }

