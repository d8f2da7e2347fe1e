import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { typeErrors } from '../compiler.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** What adding a language takes besides its folder: a file, a line of it, and the text after this line. */
const EDITS: readonly (readonly [path: string, line: string, added: string])[] = [
  ['src/language/builtins.ts', 'const LANGUAGES = {', "  shell: { title: 'Shell', docs: 'Shell scripts.' },"],
  [
    'src/emit/targets.ts',
    "import { TYPESCRIPT } from './typescript/target.ts'",
    "import { SHELL } from './shell/target.ts'",
  ],
  ['src/emit/targets.ts', '  typescript: TYPESCRIPT,', '  shell: SHELL,'],
  [
    'src/dev/targets.ts',
    "import { TYPESCRIPT } from './targets/typescript.ts'",
    "import { SHELL } from './targets/shell.ts'",
  ],
  ['src/dev/targets.ts', '  typescript: TYPESCRIPT,', '  shell: SHELL,'],
]

const FOLDER = 'src/emit/shell/target.ts'
/** A language whose services are a shell script. */
const TARGET = String.raw`import type { GeneratedFile } from '../contract.ts'
import type { Target } from '../target.ts'

const generated = (path: string, lines: readonly string[]): GeneratedFile => ({
  path,
  content: lines.map((line) => line + '\n').join(''),
  owner: 'generated',
})

/** Services in shell. */
export const SHELL: Target = {
  serviceFiles: (_, { directory, calls }) => [
    generated(directory + '/serve.sh', ['. ./common/serve.sh', ...calls.map(({ urlVariable }) => ': "$' + urlVariable + '"')]),
  ],
  authenticationFiles: (_, { directory }) => [generated(directory + '/serve.sh', ['. ./common/login.sh'])],
  sharedFiles: ({ platform, authentication }) => [
    generated('common/serve.sh', platform.services.map(({ directory }) => '# ' + directory)),
    ...(authentication === undefined ? [] : [generated('common/login.sh', [])]),
    generated('Dockerfile.shell', ['FROM alpine:3.22', 'ARG SERVICE', 'COPY common shared $SERVICE ./']),
  ],
  image: {
    dockerfile: 'Dockerfile.shell',
    variables: [],
    user: 4711,
    sharedContext: ['common', 'shared'],
    serviceContext: ({ directory }) => [directory + '/serve.sh'],
    migrations: ['sh', 'common/migrate.sh'],
    jobs: ({ directory }) => ['sh', 'common/jobs.sh', directory],
  },
  ignored: ['*.log'],
  memory: { base: 64, bodyFactor: 1 },
  isModule: false,
  panels: (selector) => [{ title: 'Forks', unit: 'short', targets: { forks: 'shell_forks{' + selector + '}' } }],
  readme: {
    language: 'Shell',
    standalone: () => ['To run one service by itself, you need a shell.'],
    testing: ['Check the scripts with shellcheck.'],
    customFiles: 'The scripts are yours.',
    example: () => [],
    rules: ['Quote variables.'],
    accessChecks: 'Scripts check nothing.',
    shared: () => ({ language: 'sh', code: '. ../shared/names.sh', tests: 'Check it with shellcheck.' }),
    libraries: 'Source what you need.',
    merged: 'your functions',
    configurationFile: 'serve.sh',
    metricsFile: 'metrics.sh',
    roles: () => 'with a script',
    authenticationVariables: [],
  },
}
`

const DEV_FILE = 'src/dev/targets/shell.ts'
/** How `dev` would run them. */
const DEV_TARGET = `import type { DevTarget } from '../target.ts'

/** Services in shell. */
export const SHELL: DevTarget = {
  shared: ['common', 'shared'],
  sources: (directory) => [directory],
  setup: (directory) => directory + '/serve.sh',
  requireTools: () => {},
  createRunner: () => async () => ({ failure: 'there is no shell' }),
  createCheck: () => ({ run: () => {}, setServices: () => {}, stop: async () => {} }),
}
`

/** Prints the files of a definition, for each provider. */
const PROGRAM = `import { compile } from './src/compile.ts'
import { emitProject } from './src/emit/project.ts'

const [definition = ''] = process.argv.slice(2)
const providers = ['dockerCompose', 'kube'] as const
const projects = providers.map((provider) => {
  const { platform, diagnostics } = compile(definition, { provider })
  if (platform === undefined) throw new Error(JSON.stringify(diagnostics))
  return emitProject(platform)
})
console.log(JSON.stringify(projects))
`

const MIXED = `Fair: project { #authMethod(email); #metrics(prometheus); }
Stand: service {
  #language(shell);
  toString: string(80) @server;
  kind: enum(food, toys);
  rent: decimal(scale: 2)?;
  plan: data(10);
  #enumerable(filter: [kind]);
  Visit: struct { at: datetime; }
}
Guest: service { #auth; stand: Stand; }
Pass: service { #language(shell); guest: Guest; }`
const ALONE =
  'Fair: project { #language(shell); #authMethod(email); #metrics(prometheus); } Stand: service { #auth; name: string; }'

/** What only services in TypeScript have. */
const OF_TYPESCRIPT = /\.ts$|^(?:package(?:-lock)?|tsconfig|\.oxlintrc)\.json$|^Dockerfile$/
const ABOUT_TYPESCRIPT =
  /\bNode (?:\d|reads)|\bnode(?:js_| --| \w+\/)|\[node\b|\bnpm\b|\.ts\b|package(?:-lock)?\.json|event ?loop/i

type Files = ReadonlyMap<string, string>
let copy: string
let mixed: Files[]

async function emitted(definition: string): Promise<Files[]> {
  const { stdout } = await run(process.execPath, ['program.ts', definition], {
    cwd: copy,
    maxBuffer: 2 ** 26,
  })
  return (JSON.parse(stdout) as GeneratedFile[][]).map(
    (files) => new Map(files.map(({ path, content }) => [path, content])),
  )
}

/** Writes the TypeScript of a project and returns the errors of the compiler. */
async function errorsOf(files: Files): Promise<string> {
  const project = join(copy, 'project')
  for (const [path, content] of files) {
    if (!/\.(?:ts|json)$/.test(path)) continue
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), content)
  }
  return typeErrors(project)
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'portico-target-'))
  // Without what boundaries.test.ts has there for a moment.
  const isSource = (path: string): boolean => !path.includes('/boundary-')
  await cp(join(ROOT, 'src'), join(copy, 'src'), { recursive: true, filter: isSource })
  for (const path of ['package.json', 'tsconfig.json']) await cp(join(ROOT, path), join(copy, path))
  for (const path of ['node_modules', 'templates']) await symlink(join(ROOT, path), join(copy, path))
  await mkdir(dirname(join(copy, FOLDER)))
  await writeFile(join(copy, FOLDER), TARGET)
  await writeFile(join(copy, DEV_FILE), DEV_TARGET)
  for (const [path, line, added] of EDITS) {
    const text = await readFile(join(copy, path), 'utf8')
    expect(text, path).toContain(line)
    await writeFile(
      join(copy, path),
      text.replace(line, (found) => `${found}\n${added}`),
    )
  }
  await writeFile(join(copy, 'program.ts'), PROGRAM)
  mixed = await emitted(MIXED)
})
afterAll(async () => {
  await rm(copy, { recursive: true, force: true })
})

test('CONTRIBUTING.md names every file that a language needs', async () => {
  const contributing = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = /## Add a target language\n([\s\S]*?)\n## /.exec(contributing) ?? []
  for (const [path] of EDITS) expect(section).toContain(`\`${path}\``)
  expect(section).toContain('`src/emit/<language>/`')
})

test('a language that is added in these files compiles', async () => {
  await writeFile(
    join(copy, 'tsconfig.src.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src'] }),
  )
  expect(await typeErrors(join(copy, 'tsconfig.src.json'))).toBe('')
})

test('a project without TypeScript has nothing of it', async () => {
  for (const files of await emitted(ALONE))
    for (const [path, content] of files) {
      expect(path).not.toMatch(OF_TYPESCRIPT)
      expect(ABOUT_TYPESCRIPT.exec(content)?.[0], path).toBeUndefined()
    }
})

test('in a mixed project, each service has the files of its language', () => {
  for (const files of mixed) {
    const below = (directory: string) => [...files.keys()].filter((path) => path.startsWith(`${directory}/`))
    expect(below('stand')).toEqual(['stand/serve.sh'])
    expect(below('pass')).toEqual(['pass/serve.sh'])
    expect(files.get('pass/serve.sh')).toBe('. ./common/serve.sh\n: "$GUEST_INTERNAL_URL"\n')
    expect(files.get('common/serve.sh')).toBe('# stand\n# pass\n')
    for (const path of [...below('guest'), ...below('auth')]) expect(path).toMatch(/\.ts$/)
    expect(files.get('.gitignore')).toBe('node_modules/\n*.log\n.secrets/\n.deploy/\n.env\n')
    expect(files.get('.dockerignore')?.split('\n')).toEqual(
      expect.arrayContaining(['!lib', '!shared', '!guest/src', '!stand/serve.sh', '!stand-db/migrations']),
    )
    for (const [path, content] of files)
      if (/\b(?:stand|pass)\b/.test(path) && !path.startsWith('lib/clients/'))
        expect(ABOUT_TYPESCRIPT.exec(content)?.[0], path).toBeUndefined()
  }
})

test('the code that calls services in other languages compiles', async () => {
  const [files = new Map<string, string>()] = mixed
  expect(files.has('lib/clients/stand.ts')).toBe(true)
  expect(files.has('lib/clients/guest.ts')).toBe(false)
  expect(await errorsOf(files)).toBe('')
})

test('containers run the image of their language', () => {
  const [compose, kube] = mixed
  const { services } = parse(compose?.get('compose.yaml') ?? '')
  const args = { SERVICE: 'stand', DATABASE: 'stand-db' }
  expect(services.stand.build).toEqual({ context: '.', dockerfile: 'Dockerfile.shell', args })
  expect(services.guest.build.dockerfile).toBeUndefined()
  expect(services.stand.mem_limit).toBe('128m')
  expect(services['stand.migrate'].entrypoint).toEqual(['sh', 'common/migrate.sh', 'stand', 'stand-db'])
  expect(kube?.get('kube/base/services/stand.yaml')).toContain('runAsUser: 4711')
  expect(kube?.get('kube/migrate/services/stand.yaml')).toContain('command: [sh, common/migrate.sh]')
  expect(kube?.get('kube/base/services/guest.yaml')).toContain('runAsUser: 1000')
  expect(kube?.get('deploy.sh')).toContain(
    "readonly DOCKERFILES='stand=Dockerfile.shell pass=Dockerfile.shell'",
  )
})
