readonly SECRETS=.secrets CREDENTIALS=.secrets/credentials READERS=$DATABASES
load_credentials() { :; }
store_credentials() { :; }
await_readers() { sleep "$READ_SECONDS"; }
