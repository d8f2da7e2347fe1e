import type { EmbeddedPlatform } from '../dev/platform.ts'
import { counted } from '../naming.ts'
import type { Colors } from './context.ts'

/** The maximum number of services that are listed. Others are only counted. */
const MAX_LISTED = 20

/** Returns a summary of a running platform: its services with their paths and endpoint counts, and the explorer's URL. */
export function devSummary(
  { platform, explorer, failed }: Pick<EmbeddedPlatform, 'platform' | 'explorer' | 'failed'>,
  seconds: number,
  colors: Colors,
): string[] {
  const { names, services, authentication } = platform()
  const rows: [path: string, endpoints: number][] = services.map(
    ({ path, entity, structs, customEndpoints }) => [
      path,
      [entity, ...structs].reduce((sum, { endpoints }) => sum + endpoints.length, customEndpoints.length),
    ],
  )
  if (authentication !== undefined) rows.unshift([authentication.path, 2])
  const total = rows.reduce((sum, [, endpoints]) => sum + endpoints, 0)
  const width = Math.max(...rows.map(([path]) => path.length))
  const what = `${counted(rows.length, 'service')}, ${counted(total, 'endpoint')}`
  const name = colors.bold(names.declared)
  const state =
    failed.length === 0
      ? `${colors.green('✔')} ${name} is ready: ${what}`
      : `${colors.red('✖')} ${name} is running, but could not start ${failed.join(', ')}`
  const listed = rows.length > MAX_LISTED ? [] : rows
  return [
    `${state} (${seconds.toFixed(1)} s)`,
    ...listed.map(
      ([path, endpoints]) => `  ${path.padEnd(width)}  ${colors.dim(counted(endpoints, 'endpoint'))}`,
    ),
    ...(explorer === undefined ? [] : [`  ${colors.cyan(explorer)}  ${colors.dim('API explorer')}`]),
  ]
}
