import type { GeneratedFile } from '../contract.ts'
import { hasReferences, hasSchedules, withForeign } from './platform-files.ts'
import { readTemplate } from '../codegen/templates.ts'
import type { Platform } from '../../model/platform.ts'
import type { TargetPart } from '../target.ts'

const PGX = ['pgpassfile', 'pgservicefile', 'puddle'].map((name) => `github.com/jackc/${name}`)
const OF_EMBEDDED_POSTGRES = ['github.com/lib/pq', 'github.com/xi2/xz']
const WITH_METRICS = [
  'github.com/prometheus/client_golang',
  'github.com/beorn7/perks',
  'github.com/cespare/xxhash',
  'github.com/munnerz/goautoneg',
  'github.com/prometheus/client_model',
  'github.com/prometheus/common',
  'github.com/prometheus/procfs',
  'golang.org/x/sys',
  'google.golang.org/protobuf',
]

/** `go.mod` and `go.sum`, with the modules that the project uses. */
export function moduleFiles(part: TargetPart): GeneratedFile[] {
  const { platform, authentication } = part
  const direct = [
    'github.com/fergusstrange/embedded-postgres',
    'github.com/google/uuid',
    'github.com/jackc/pgx',
    ...(hasReferences(withForeign(part), part) ? ['golang.org/x/sync'] : []),
    ...(platform.authentication === undefined ? [] : ['github.com/golang-jwt/jwt']),
    ...(platform.metrics === undefined ? [] : ['github.com/prometheus/client_golang']),
    ...(hasSchedules(platform) ? ['github.com/robfig/cron'] : []),
    ...(authentication === undefined ? [] : ['golang.org/x/crypto', 'golang.org/x/text']),
  ]
  const indirect = [
    ...PGX,
    ...OF_EMBEDDED_POSTGRES,
    'golang.org/x/sync',
    'golang.org/x/text',
    ...(platform.metrics === undefined ? [] : WITH_METRICS),
  ].filter((path) => !direct.includes(path))
  const lines = readTemplate('go/go.mod').split('\n')
  const required = (paths: readonly string[], suffix: string) =>
    lines
      .flatMap((line) => {
        const [, path = '', version = ''] = /^\t(\S+) (\S+)/.exec(line) ?? []
        return paths.includes(withoutMajor(path)) ? [`\t${path} ${version}${suffix}`] : []
      })
      .sort()
  const version = lines.find((line) => line.startsWith('go ')) ?? ''
  const content = [
    `module ${platform.module}`,
    '',
    version,
    '',
    '// Packages of npm may contain Go files.',
    'ignore ./node_modules',
    '',
    'require (',
    ...required(direct, ''),
    ')',
    '',
    'require (',
    ...required(indirect, ' // indirect'),
    ')',
    '',
  ].join('\n')
  return [
    { path: 'go.mod', content, owner: 'shared', format: 'go.mod' },
    { path: 'go.sum', content: sums(platform, direct), owner: 'shared', format: 'go.sum' },
  ]
}

/** Modules whose sums are only needed where the project requires them itself. */
const OPTIONAL = ['github.com/golang-jwt/jwt', 'github.com/robfig/cron', 'golang.org/x/crypto']

function sums({ metrics }: Platform, direct: readonly string[]): string {
  return readTemplate(metrics === undefined ? 'go/without-metrics.sum' : 'go/go.sum')
    .split('\n')
    .filter((line) => {
      const path = withoutMajor(line.split(' ')[0] ?? '')
      return !OPTIONAL.includes(path) || direct.includes(path)
    })
    .join('\n')
}

/** The path of a module without its major version. */
function withoutMajor(path: string): string {
  return path.replace(/\/v\d+$/, '')
}
