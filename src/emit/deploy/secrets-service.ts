import type { Platform } from '../../model/platform.ts'
import { secretReaders } from './secret-readers.ts'

/** Its key in compose.yaml: no directory, and so no other service, can have a dot in its name. */
export const SECRETS_SERVICE = 'portico.secrets'

/** The service of compose.yaml that takes secrets from standard input, runs once and ends. */
export interface SecretsService {
  readonly profiles: readonly string[]
  readonly image: string
  readonly restart: 'no'
  readonly network_mode: 'none'
  readonly user: string
  readonly read_only: true
  readonly tmpfs: readonly string[]
  readonly cap_drop: readonly string[]
  readonly cap_add: readonly string[]
  readonly security_opt: readonly string[]
  readonly entrypoint: readonly string[]
  readonly volumes: readonly string[]
}

/**
 * Reads a tar of `<user id>/<volume>/<file>` and puts each file that differs into its volume, by rename, so that
 * a reader sees the old text or the new one, and Envoy notices. `$$` is Compose's spelling of `$`.
 */
const PUT_IN_PLACE = [
  'set -eu',
  'umask 077',
  'tar -x -f - -C /incoming',
  'cd /incoming',
  'for file in */*/*; do',
  '  owner=$${file%%/*}',
  '  target=/secrets/$${file#*/}',
  '  cmp -s "$$file" "$$target" && continue',
  '  cp "$$file" "$$target.new"',
  '  chmod 400 "$$target.new"',
  '  chown "$$owner:$$owner" "$$target.new"',
  '  mv -f "$$target.new" "$$target"',
  'done',
  '',
].join('\n')

/** What deploy.sh runs to fill the volumes of a platform; `docker compose up` leaves it out. `image` has tar and sh. */
export function secretsService(platform: Platform, image: string): SecretsService {
  return {
    profiles: ['secrets'],
    image,
    restart: 'no',
    network_mode: 'none',
    user: '0:0',
    read_only: true,
    tmpfs: ['/incoming:mode=700'],
    cap_drop: ['ALL'],
    cap_add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
    security_opt: ['no-new-privileges:true'],
    entrypoint: ['sh', '-c', PUT_IN_PLACE],
    volumes: secretReaders(platform).map(({ volume }) => `${volume}:/secrets/${volume}`),
  }
}
