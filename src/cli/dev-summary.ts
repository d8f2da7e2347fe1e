import type { Platform } from '../model/platform.ts'
import { counted } from '../model/names.ts'
import type { Colors } from './context.ts'

/** Of a larger platform the services are counted, not listed. */
const MOST_LISTED = 20

/**
 * What runs, as lines: a headline, each service with its path and how many endpoints it has, and where the explorer
 * is, if it is anywhere.
 */
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
  const listed = rows.length > MOST_LISTED ? [] : rows
  return [
    headline,
    ...listed.map(
      ([path, endpoints]) => `  ${path.padEnd(width)}  ${colors.dim(counted(endpoints, 'endpoint'))}`,
    ),
    ...(explorer === undefined ? [] : [`  ${colors.cyan(explorer)}  ${colors.dim('see it and try it')}`]),
  ]
}
