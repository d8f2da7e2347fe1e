import type { CommandSpec, OperandSpec, OptionSpec } from './command.ts'

/** Options that every command takes, before or behind its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--color <when>',
    summary: 'colours in the output (NO_COLOR switches them off too)',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
  },
  { flags: '--yes', summary: 'take the default of every question' },
  { flags: '-q, --quiet', summary: 'neither progress nor confirmations' },
]

const OUTPUT: OptionSpec = {
  flags: '-o, --output <dir>',
  summary: "where the project goes (default: the project's name in kebab-case)",
  completes: 'directory',
}
const LANGUAGE: OptionSpec = {
  flags: '--language <language>',
  summary: 'the language of every service, whatever the definition says',
  choices: ['typescript', 'ts', 'go'],
}
const PROVIDER: OptionSpec = {
  flags: '--provider <provider>',
  summary: 'the orchestration, whatever the definition says',
  choices: ['dockerCompose', 'dc', 'kube', 'kubernetes', 'k8s'],
}
const MODULE: OptionSpec = { flags: '--module <name>', summary: 'the module name of Go services' }

const PREVIEWS: readonly OptionSpec[] = [
  { flags: '--dry-run', summary: 'list what would change and change nothing' },
  { flags: '--diff', summary: 'show what would change and change nothing' },
  { flags: '--check', summary: 'fail where the output is not up to date; change nothing' },
]
const OVERWRITE: OptionSpec = {
  flags: '--overwrite',
  summary: 'replace files edited by hand; the old text is kept beside them',
}

const FILE: OperandSpec = { name: '<file>', summary: 'the definition', completes: 'definition' }
const FILES: OperandSpec = {
  name: '<file...>',
  summary: 'definitions; `-` is standard input',
  completes: 'definition',
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'new',
    summary: 'write a first definition to start from',
    operands: [
      {
        name: '<dir>',
        summary: 'the directory to write it into, made where it is missing',
        completes: 'directory',
      },
    ],
    options: [],
    examples: [
      ['new shop', 'asks a few questions on a terminal'],
      ['new shop --yes', 'asks nothing'],
    ],
    load: () => import('./new.ts'),
  },
  {
    name: 'validate',
    summary: 'check definitions',
    operands: [FILES],
    options: [
      {
        flags: '--format <format>',
        summary: 'how diagnostics are printed',
        choices: ['text', 'json', 'github'],
        default: 'text',
      },
      { flags: '--watch', summary: 'check again whenever a file changes' },
    ],
    examples: [
      ['validate shop.portico', 'prints what is wrong, or that nothing is'],
      ['validate *.portico --format github', 'annotates a pull request'],
      ['validate shop.portico --watch', 'checks at every change, until Ctrl-C'],
    ],
    load: () => import('./validate.ts'),
  },
  {
    name: 'format',
    summary: 'rewrite definitions in the standard layout',
    operands: [FILES],
    options: [
      { flags: '--check', summary: 'change nothing; fail where a file is not in the standard layout' },
    ],
    examples: [
      ['format shop.portico', 'rewrites the file'],
      ['format --check *.portico', 'for continuous integration'],
      ['format - < shop.portico', 'prints the result'],
    ],
    load: () => import('./format.ts'),
  },
  {
    name: 'generate',
    summary: 'check a definition, then write the project',
    operands: [FILE],
    options: [
      OUTPUT,
      LANGUAGE,
      PROVIDER,
      MODULE,
      ...PREVIEWS,
      OVERWRITE,
      {
        flags: '--allow-data-loss',
        summary: 'accept changes of the schema that can lose data; without effect until there are migrations',
      },
    ],
    examples: [
      ['generate shop.portico', 'writes the project into ./shop'],
      ['generate shop.portico -o build --diff', 'shows what would change in ./build'],
      ['generate shop.portico --check', 'for continuous integration'],
    ],
    load: () => import('./generate.ts'),
  },
  {
    name: 'dev',
    summary: 'generate, then run the whole platform without Docker',
    operands: [FILE],
    options: [
      OUTPUT,
      LANGUAGE,
      PROVIDER,
      MODULE,
      {
        flags: '--port <n>',
        summary: 'where the gateway listens; 0 is any free port',
        integer: [0, 65_535],
        default: '8080',
      },
      { flags: '--fresh', summary: 'begin with an empty database' },
      { flags: '--no-watch', summary: 'run without reloading what changes' },
      { flags: '--no-openapi', summary: 'do not serve the description of the API at /api/openapi.json' },
    ],
    examples: [
      ['dev shop.portico', 'serves the platform at localhost:8080 and reloads what changes'],
      ['dev shop.portico --port 0 --fresh', 'on any free port, with an empty database'],
    ],
    load: () => import('./dev.ts'),
  },
  {
    name: 'test',
    summary: 'test a running platform from the outside, by its definition',
    operands: [FILE],
    options: [
      {
        flags: '--gateway <host:port>',
        summary: 'the platform to test (default: one of its own, thrown away afterwards)',
      },
      {
        flags: '--credentials <file>',
        summary: "with --gateway: the gateway's credentials, to check expired tokens and their like too",
        completes: 'file',
      },
      {
        flags: '--format <format>',
        summary: 'how results are printed',
        choices: ['text', 'json'],
        default: 'text',
      },
      LANGUAGE,
    ],
    examples: [
      ['test shop.portico', 'runs a platform of its own, tests it, throws it away'],
      ['test shop.portico --gateway localhost:8080', 'tests one that runs'],
    ],
    load: () => import('./test.ts'),
  },
  {
    name: 'graph',
    summary: 'draw the services, structs and references of a definition',
    operands: [FILE],
    options: [
      {
        flags: '--format <format>',
        summary: 'Mermaid is text that GitHub and others draw; SVG is a picture',
        choices: ['mermaid', 'svg'],
        default: 'mermaid',
      },
      {
        flags: '--theme <theme>',
        summary: "colours of an SVG (default: auto, the reader's)",
        choices: ['auto', 'light', 'dark'],
      },
    ],
    examples: [
      ['graph shop.portico', 'prints a Mermaid diagram'],
      ['graph shop.portico --format svg > shop.svg', 'a picture, light or dark as its reader has it'],
    ],
    load: () => import('./graph.ts'),
  },
  {
    name: 'client',
    summary: 'write a typed client of the platform, a package without dependencies',
    operands: [FILE],
    options: [
      {
        flags: '-o, --output <dir>',
        summary: "where the package goes (default: the project's name in kebab-case, and `-client`)",
        completes: 'directory',
      },
      {
        flags: '--language <language>',
        summary: 'the language of the client',
        choices: ['typescript', 'ts'],
        default: 'typescript',
      },
      ...PREVIEWS,
      OVERWRITE,
    ],
    examples: [
      ['client shop.portico', 'writes the package into ./shop-client'],
      ['client shop.portico --check', 'for continuous integration'],
      ['client shop.portico --language typescript -o web/src/shop', 'writes it into an application'],
    ],
    load: () => import('./client.ts'),
  },
  {
    name: 'explorer',
    summary: 'write the explorer as a package, to be served beside a deployment',
    operands: [FILE],
    options: [
      {
        flags: '-o, --output <dir>',
        summary: "where the package goes (default: the project's name in kebab-case, and `-explorer`)",
        completes: 'directory',
      },
      ...PREVIEWS,
      OVERWRITE,
    ],
    examples: [['explorer shop.portico', 'writes the package into ./shop-explorer']],
    load: () => import('./explorer.ts'),
  },
  {
    name: 'explain',
    summary: 'say what a diagnostic means',
    operands: [{ name: '[code]', summary: 'its code; all are listed without one', completes: 'code' }],
    options: [],
    examples: [
      ['explain unknown-type', 'the meaning, an example that has it and one that has not'],
      ['explain', 'lists all codes'],
    ],
    load: () => import('./explain.ts'),
  },
  {
    name: 'lsp',
    summary: 'serve editors: the language server, on standard input and output',
    operands: [],
    options: [
      { flags: '--stdio', summary: 'what it does anyway; editors say so' },
      {
        flags: '--clientProcessId <pid>',
        summary: 'the editor; without it the server ends too',
        integer: [1, 2 ** 31 - 1],
      },
    ],
    examples: [['lsp --stdio', 'what an editor starts']],
    load: () => import('./lsp.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    operands: [{ name: '<shell>', summary: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'for bash'],
      ['completion zsh > "${fpath[1]}/_portico"', 'for zsh'],
      ['completion fish > ~/.config/fish/completions/portico.fish', 'for fish'],
    ],
    load: () => import('./completion.ts'),
  },
]
