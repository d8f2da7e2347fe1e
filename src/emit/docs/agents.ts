import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { usedTargets } from '../targets.ts'
import { codeBlock, paragraphs, table } from './markdown.ts'

/**
 * `AGENTS.md`: what a coding agent has to know before it changes the project. It belongs to the user, who adds rules to
 * it, so it says only what stays true when the definition changes, and refers to README.md for the rest.
 */
export function emitAgents(platform: Platform): GeneratedFile[] {
  const used = usedTargets(platform)
  const code = used.flatMap(({ target: { readme }, part }) => [
    used.length > 1 ? `### Services in ${readme.language}` : undefined,
    readme.customFiles,
    ...readme.example(part),
    [readme.accessChecks, ...readme.rules].map((rule) => `- ${rule}`).join('\n'),
  ])
  const content = paragraphs(
    `# ${platform.names.declared}: notes for coding agents`,
    "Portico generated this directory from a definition, a file that ends in `.portico`, in this directory or above it. `<definition>` is its path below, and `<here>` the path of this directory. [README.md](README.md) is generated again whenever the definition changes: it lists the services and every endpoint, and describes configuration and deployment. `docs/` of the package `portico`, such as `node_modules/portico/docs/`, describes definitions (`language.md`), hooks (`hooks.md`) and migrations (`evolution.md`). This file is the user's: Portico wrote it once.",
    'Run `portico` in the directory of the definition, as `npx portico` if it is installed there. It asks questions only on a terminal; without one, it stops with status 2 and names the options that answer them. Ask the user before you use `--allow-data-loss`, `--fresh` or `--overwrite`, which delete data or replace files, and ask which value existing rows get (`--backfill`).',
    '## Where a change belongs',
    table(
      ['To change', 'Edit'],
      [
        [
          'services, attributes, bounds, lists, endpoints, roles, who may read or write',
          'the definition, then run `portico generate <definition> -o <here>`',
        ],
        ['what happens in a request, routes, queries, settings', 'your code, which is described below'],
        ['code that several services use', '`shared/`'],
        ['the value of an environment variable', '`<service>/.env`, which is not under version control'],
        [
          'existing rows',
          'the SQL file that `portico generate` wrote in `<service>-db/migrations/`, before it is deployed',
        ],
      ],
    ),
    'All other files are generated, and `.portico/manifest.json` lists them. Do not edit them: the next generation would stop with status 3 and name them. If one has to change, ask the user before you make it theirs with `portico eject <file>`. You can add files of your own anywhere.',
    '`portico generate` prints which changes break clients, and writes migrations, whose first lines say which locks they hold and which data they delete. Tell the user about both. Do not edit, renumber or delete a migration that may have been deployed.',
    '## Your code',
    ...code,
    'The example is one for the definition that this file was written for. That in README.md is always for the current one.',
    '## Check your work',
    codeBlock('sh', [
      'portico validate <definition>             # all mistakes at once; `portico explain <code>` explains one',
      'portico generate <definition> -o <here>   # then read what it prints, and the new migrations',
    ]),
    ...used.flatMap(({ target }) => target.readme.testing),
    'Then run the platform, which needs neither Docker nor a Postgres server, and check that it still does what the definition says:',
    codeBlock('sh', [
      'portico dev <definition> -o <here> --port 0 --no-watch   # prints GATEWAY_ENTRY=<address>, and runs until you stop it',
      'portico test <definition> --gateway <address>',
    ]),
    'Call your own routes too: README.md shows how to get a token and call an endpoint. Do not print the contents of `.secrets/`, `.env` and `.portico/dev/`, which may have secrets.',
  )
  return [{ path: 'AGENTS.md', content: `${content}\n`, owner: 'user', optional: true }]
}
