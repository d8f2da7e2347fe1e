readonly SECRETS=.secrets CREDENTIALS=.secrets/credentials READERS=$DATABASES
load_credentials() { :; }
store_credentials() { :; }
# Services look for new credentials every two seconds.
await_readers() { sleep 5; }
