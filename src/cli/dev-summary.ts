import type { Platform } from '../model/platform.ts'
import { counted } from '../naming.ts'
import type { Colors } from './context.ts'

/** The maximum number of services that are listed. Others are only counted. */
const MAX_LISTED = 20

/** Returns a summary of a running platform: its services with their paths and endpoint counts, and the explorer's URL. */
export function devSummary(
  platform: Platform,
  explorer: string | undefined,
  seconds: number,
  colors: Colors,
): string[] {
  const rows: [path: string, endpoints: number][] = platform.services.map(({ path, entity, structs }) => [
    path,
    [entity, ...structs].reduce((sum, { endpoints }) => sum + endpoints.length, 0),
  ])
  if (platform.authentication !== undefined) rows.unshift([platform.authentication.path, 2])
  const total = rows.reduce((sum, [, endpoints]) => sum + endpoints, 0)
  const width = Math.max(...rows.map(([path]) => path.length))
  const what = `${counted(rows.length, 'service')}, ${counted(total, 'endpoint')}`
  const headline = `${colors.green('✔')} ${colors.bold(platform.names.declared)} is ready: ${what} (${seconds.toFixed(1)} s)`
  const listed = rows.length > MAX_LISTED ? [] : rows
  return [
    headline,
    ...listed.map(
      ([path, endpoints]) => `  ${path.padEnd(width)}  ${colors.dim(counted(endpoints, 'endpoint'))}`,
    ),
    ...(explorer === undefined ? [] : [`  ${colors.cyan(explorer)}  ${colors.dim('API explorer')}`]),
  ]
}
