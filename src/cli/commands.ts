import { LANGUAGE_NAMES } from '../language/builtins.ts'
import type { CommandSpec, OperandSpec, OptionSpec } from './command.ts'

/** Options of every command; they can precede or follow its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--color <when>',
    summary: 'When to use colors; NO_COLOR also turns them off',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
  },
  { flags: '--yes', summary: 'Answer every question with its default' },
  { flags: '-q, --quiet', summary: 'Print only results, diagnostics and errors' },
]

const OUTPUT: OptionSpec = {
  flags: '-o, --output <dir>',
  summary: 'Output directory (default: the project name in kebab-case)',
  completes: 'directory',
}
const LANGUAGE: OptionSpec = {
  flags: '--language <language>',
  summary: 'Override the language of every service',
  choices: LANGUAGE_NAMES,
}
const MODULE: OptionSpec = {
  flags: '--module <path>',
  summary: 'Path of the project as a Go module. Default: that in its go.mod, or example.com/<project>',
}
const PROVIDER: OptionSpec = {
  flags: '--provider <provider>',
  summary: 'Override the deployment target',
  choices: ['dockerCompose', 'kube'],
}

const BACKFILL: OptionSpec = {
  flags: '--backfill <attribute=value>',
  summary: 'Value of a new attribute in existing rows: Home.city=Unknown; can be repeated',
  repeatable: true,
}

const ALLOW_DATA_LOSS: OptionSpec = {
  flags: '--allow-data-loss [names]',
  summary: 'What may be deleted: Home.notes,Home.Photo. Without names: list what would be, and stop',
}

const NOT_RENAMED: OptionSpec = {
  flags: '--not-renamed <names>',
  summary: 'Attributes that were removed, not renamed: Home.notes',
}

const WRITING: readonly OptionSpec[] = [
  { flags: '--dry-run', summary: 'List the changes without writing them' },
  { flags: '--diff', summary: 'Show the changes as a diff without writing them' },
  { flags: '--check', summary: 'Fail if the output is not up to date' },
  {
    flags: '--overwrite',
    summary: 'Replace files that were edited by hand and keep your versions as *.orig',
  },
]

const FILE: OperandSpec = {
  name: '<file>',
  summary: 'Definition file, or `-` for standard input',
  completes: 'definition',
}
const FILES: OperandSpec = {
  name: '<file...>',
  summary: 'Definition files, or `-` for standard input',
  completes: 'definition',
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'new',
    summary: 'Create a starter definition',
    operands: [{ name: '<dir>', summary: 'Directory, created if it does not exist', completes: 'directory' }],
    options: [
      { ...LANGUAGE, summary: 'Language of the services (default: typescript)' },
      {
        flags: '--module <path>',
        summary: 'Path of the Go module, with --language go (default: example.com/<project>)',
      },
    ],
    examples: [
      ['new shop', 'Ask a few questions and write shop/shop.portico'],
      ['new shop --yes', 'Ask no questions'],
      ['new shop --language go --module github.com/acme/shop', 'Services in Go'],
    ],
    load: () => import('./new.ts'),
  },
  {
    name: 'validate',
    summary: 'Check definitions',
    operands: [FILES],
    options: [
      {
        flags: '--format <format>',
        summary: 'Format of the diagnostics',
        choices: ['text', 'json', 'github'],
        default: 'text',
      },
      { flags: '--hints', summary: 'Show hints as well' },
      { flags: '--watch', summary: 'Check again when a file changes' },
    ],
    examples: [
      ['validate shop.portico', 'Print errors and warnings'],
      ['validate *.portico --format github', 'Annotate a pull request on GitHub'],
      ['validate shop.portico --watch', 'Check on every change until Ctrl-C'],
    ],
    load: () => import('./validate.ts'),
  },
  {
    name: 'format',
    summary: 'Format definitions in the standard layout',
    operands: [FILES],
    options: [{ flags: '--check', summary: 'List files that are not formatted, and fail if there are any' }],
    examples: [
      ['format shop.portico', 'Format the file'],
      ['format --check *.portico', 'Check the formatting in continuous integration'],
      ['format - < shop.portico', 'Print the formatted definition'],
    ],
    load: () => import('./format.ts'),
  },
  {
    name: 'generate',
    summary: 'Generate a project from a definition',
    operands: [FILE],
    options: [OUTPUT, LANGUAGE, MODULE, PROVIDER, BACKFILL, ALLOW_DATA_LOSS, NOT_RENAMED, ...WRITING],
    examples: [
      ['generate shop.portico', 'Write the project to ./shop'],
      ['generate shop.portico -o build --diff', 'Show what would change in ./build'],
      ['generate shop.portico --check', 'Check the project in continuous integration'],
    ],
    load: () => import('./generate.ts'),
  },
  {
    name: 'eject',
    summary: 'Make generated files yours',
    operands: [
      {
        name: '<path...>',
        summary: 'Generated files, or directories, whose files are all ejected',
        completes: 'file',
      },
    ],
    options: [{ flags: '--undo', summary: 'Give ejected files back, and keep your versions as *.orig' }],
    examples: [
      ['eject shop/home/src/routes/home.ts', 'Let `portico generate` never write this file again'],
      ['eject --undo shop/home/src/routes/home.ts', 'Let it write the file again'],
    ],
    load: () => import('./eject.ts'),
  },
  {
    name: 'diff',
    summary: 'List what changes for clients between two definitions',
    operands: [
      { name: '<old>', summary: 'Older definition, or the only one with --against', completes: 'definition' },
      { name: '[new]', summary: 'Newer definition', completes: 'definition' },
    ],
    options: [
      {
        flags: '--against <revision>',
        summary: 'Compare the definition with its version at a Git revision',
      },
      {
        flags: '--fail-on <changes>',
        summary: 'Exit with status 1 if there are such changes',
        choices: ['breaking'],
      },
      {
        flags: '--format <format>',
        summary: 'Format of the changes',
        choices: ['text', 'json', 'markdown'],
        default: 'text',
      },
    ],
    examples: [
      ['diff shop.portico shop-2.portico', 'Compare two definitions'],
      ['diff shop.portico --against HEAD', 'List what has changed since the last commit'],
      ['diff shop.portico --against origin/main --fail-on breaking', 'Check a pull request'],
    ],
    load: () => import('./diff.ts'),
  },
  {
    name: 'dev',
    summary: 'Generate the project and run it without Docker',
    operands: [{ name: '<file>', summary: 'Definition file', completes: 'definition' }],
    options: [
      OUTPUT,
      LANGUAGE,
      MODULE,
      PROVIDER,
      {
        flags: '--port <n>',
        summary: 'Port of the gateway, or 0 for any free port',
        integer: [0, 65_535],
        default: '8080',
      },
      {
        flags: '--cors <origins>',
        summary: 'Origins of web pages that may call the API: http://localhost:5173,https://app.example.com',
      },
      { flags: '--fresh', summary: 'Start with an empty database' },
      BACKFILL,
      ALLOW_DATA_LOSS,
      NOT_RENAMED,
      { flags: '--no-watch', summary: 'Do not reload changed files' },
      { flags: '--no-openapi', summary: 'Do not serve the OpenAPI description at /api/openapi.json' },
    ],
    examples: [
      ['dev shop.portico', 'Serve the platform at localhost:8080 and reload changes'],
      ['dev shop.portico --port 0 --fresh', 'Use any free port and an empty database'],
    ],
    load: () => import('./dev.ts'),
  },
  {
    name: 'test',
    summary: 'Test a running platform against its definition',
    operands: [FILE],
    options: [
      {
        flags: '--gateway <host:port>',
        summary: 'Platform to test (default: a temporary one)',
      },
      {
        flags: '--credentials <file>',
        summary: 'Gateway credentials, to test expired tokens too; requires --gateway',
        completes: 'file',
      },
      {
        ...OUTPUT,
        summary: 'Directory of the project, with test/samples.json (default: its name); requires --gateway',
      },
      {
        flags: '--format <format>',
        summary: 'Format of the results',
        choices: ['text', 'json'],
        default: 'text',
      },
      LANGUAGE,
    ],
    examples: [
      ['test shop.portico', 'Start a temporary platform and test it'],
      ['test shop.portico --gateway localhost:8080', 'Test a running platform'],
    ],
    load: () => import('./test.ts'),
  },
  {
    name: 'migration',
    summary: 'Write your own migrations, and check them',
    operands: [
      {
        name: '<action>',
        summary: 'new <service> <name>, status [service], check [service] or rebase <file>',
        choices: ['new', 'status', 'check', 'rebase'],
      },
      { name: '[arguments...]', summary: 'Service, name or definition file' },
    ],
    options: [
      {
        flags: '-o, --output <dir>',
        summary: 'Directory of the project (default: the working directory)',
        completes: 'directory',
      },
      { flags: '--database <url>', summary: 'Database of the service, for `status`' },
      {
        flags: '--onto <revision>',
        summary: 'Git revision whose migrations keep their numbers, for `rebase`',
      },
    ],
    examples: [
      ['migration new home add_index', 'Write an empty migration for your own SQL'],
      ['migration status home --database postgres://...', 'List what is applied and what is pending'],
      ['migration check', 'Run all migrations on temporary databases, and compare the results'],
      [
        'migration rebase shop.portico --onto origin/main',
        'Put the migrations of this branch after those of main',
      ],
    ],
    load: () => import('./migration.ts'),
  },
  {
    name: 'db',
    summary: 'Open the database of a service that `portico dev` runs',
    operands: [{ name: '<service>', summary: 'Name of the service' }],
    options: [
      { flags: '--url', summary: 'Print the address instead of opening psql' },
      {
        flags: '-o, --output <dir>',
        summary: 'Directory of the project (default: the one around or in the working directory)',
        completes: 'directory',
      },
    ],
    examples: [
      ['db home', 'Open psql'],
      ['db home < seed.sql', 'Run a file'],
      ['db home --url', 'Print the address for another client'],
    ],
    load: () => import('./db.ts'),
  },
  {
    name: 'jobs',
    summary: 'Look after the jobs of the services that `portico dev` runs',
    operands: [
      {
        name: '[action]',
        summary: 'list (default), or retry or discard jobs that have failed in all their attempts',
        choices: ['list', 'retry', 'discard'],
      },
      { name: '[service]', summary: 'Name of a service (default: all)' },
      { name: '[job]', summary: 'Name of a kind of job, or the id of one (default: all)' },
    ],
    options: [
      {
        flags: '-o, --output <dir>',
        summary: 'Directory of the project (default: the one around or in the working directory)',
        completes: 'directory',
      },
    ],
    examples: [
      ['jobs', 'Show how many jobs wait and are dead'],
      ['jobs retry invoice remind', 'Let those that have failed run again'],
    ],
    load: () => import('./jobs.ts'),
  },
  {
    name: 'graph',
    summary: 'Print a diagram of services, structs and references',
    operands: [FILE],
    options: [
      {
        flags: '--format <format>',
        summary: 'Mermaid text, which GitHub and others render, or an SVG image',
        choices: ['mermaid', 'svg'],
        default: 'mermaid',
      },
      {
        flags: '--theme <theme>',
        summary: 'Colors of an SVG image (default: auto, which follows the viewer)',
        choices: ['auto', 'light', 'dark'],
      },
    ],
    examples: [
      ['graph shop.portico', 'Print a Mermaid diagram'],
      ['graph shop.portico --format svg > shop.svg', 'Write an SVG image'],
    ],
    load: () => import('./graph.ts'),
  },
  {
    name: 'client',
    summary: 'Generate a typed client package without dependencies',
    operands: [FILE],
    options: [
      {
        flags: '-o, --output <dir>',
        summary: 'Output directory (default: the project name in kebab-case, followed by -client)',
        completes: 'directory',
      },
      {
        flags: '--language <language>',
        summary: 'Language of the client',
        choices: ['typescript'],
        default: 'typescript',
      },
      ...WRITING,
    ],
    examples: [
      ['client shop.portico', 'Write the package to ./shop-client'],
      ['client shop.portico --check', 'Check the package in continuous integration'],
      ['client shop.portico -o web/src/shop', 'Write the package into an application'],
    ],
    load: () => import('./client.ts'),
  },
  {
    name: 'explorer',
    summary: 'Generate the API explorer as a package to deploy',
    operands: [FILE],
    options: [
      {
        flags: '-o, --output <dir>',
        summary: 'Output directory (default: the project name in kebab-case, followed by -explorer)',
        completes: 'directory',
      },
      ...WRITING,
    ],
    examples: [['explorer shop.portico', 'Write the package to ./shop-explorer']],
    load: () => import('./explorer.ts'),
  },
  {
    name: 'explain',
    summary: 'Explain a diagnostic',
    operands: [
      { name: '[code]', summary: 'Code of the diagnostic (default: list all codes)', completes: 'code' },
    ],
    options: [],
    examples: [
      ['explain unknown-type', 'Explain the diagnostic, with an incorrect and a correct example'],
      ['explain', 'List all codes'],
    ],
    load: () => import('./explain.ts'),
  },
  {
    name: 'lsp',
    summary: 'Start the language server on standard input and output',
    operands: [],
    options: [
      {
        flags: '--stdio',
        summary: 'Use standard input and output: the default, accepted because editors pass it',
      },
      {
        flags: '--clientProcessId <pid>',
        summary: 'Process id of the editor; the server exits when the editor does',
        integer: [1, 2 ** 31 - 1],
      },
    ],
    examples: [['lsp --stdio', 'Start the server from an editor']],
    load: () => import('./lsp.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a shell completion script',
    operands: [{ name: '<shell>', summary: 'Shell', choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'Install for bash'],
      ['completion zsh > "${fpath[1]}/_portico"', 'Install for zsh'],
      ['completion fish > ~/.config/fish/completions/portico.fish', 'Install for fish'],
    ],
    load: () => import('./completion.ts'),
  },
]
