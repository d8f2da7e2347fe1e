import type { Platform } from '../../model/platform.ts'
import { restrictions } from '../compose/restrictions.ts'
import type { GeneratedFile } from '../contract.ts'
import { codeBlock, paragraphs } from '../docs/markdown.ts'
import { GATEWAY_PORT } from '../gateway/names.ts'
import { readTemplate } from '../kit/templates.ts'
import { yamlFile } from '../kit/yaml.ts'
import { pageDocuments } from './documents.ts'
import { headersOf } from './headers.ts'

const PORT = 8090
/** Whether the page answers; the image has no program for requests but Node. */
const CHECK = `fetch('http://127.0.0.1:${PORT}/').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))`

/**
 * The explorer as a package of its own, to stand beside a deployed platform: the page, a server that passes requests
 * on to the gateway, and a Compose file for it. `assets`: the files of the built page by name.
 */
export function deployedExplorer(platform: Platform, assets: ReadonlyMap<string, string>): GeneratedFile[] {
  const documents = Object.entries(pageDocuments(platform, false)).map(
    ([name, text]) => [name, text()] as const,
  )
  const page = new Map([...assets, ...documents])
  return [
    ...[...page].map(([name, content]) => generated(`page/${name}`, content)),
    generated('pages.json', `${JSON.stringify(pagesOf([...page.keys()]), undefined, 2)}\n`),
    generated('server.ts', readTemplate('explorer/server.ts')),
    generated('Dockerfile', readTemplate('explorer/Dockerfile')),
    generated('compose.yaml', composeFile(platform)),
    generated('package.json', packageFile(platform)),
    generated('README.md', `${readme(platform)}\n`),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

/** Which file is answered on which path, and how. */
function pagesOf(
  names: readonly string[],
): Record<string, { file: string; headers: Record<string, string> }> {
  return Object.fromEntries(
    names
      .toSorted()
      .map((name) => [
        name === 'index.html' ? '/' : `/_explorer/${name}`,
        { file: `page/${name}`, headers: headersOf(name) },
      ]),
  )
}

function composeFile({ names }: Platform): string {
  const head = `The explorer of ${names.declared}, beside its platform: a page for people, which asks the gateway like any client.`
  return yamlFile(head, {
    name: `${names.kebab}-explorer`,
    services: {
      explorer: {
        build: '.',
        environment: { GATEWAY: `\${GATEWAY:-http://gateway:${GATEWAY_PORT}}` },
        ports: [`\${EXPLORER_ADDRESS:-127.0.0.1}:\${EXPLORER_PORT:-${PORT}}:${PORT}`],
        networks: ['platform'],
        healthcheck: {
          test: ['CMD', 'node', '-e', CHECK],
          interval: '30s',
          timeout: '5s',
          start_period: '30s',
          start_interval: '1s',
        },
        ...restrictions({ memory: 128, processes: 64 }),
      },
    },
    networks: { platform: { external: true, name: `\${PLATFORM_NETWORK:-${names.kebab}_default}` } },
  })
}

function packageFile({ names }: Platform): string {
  const content = {
    name: `${names.kebab}-explorer`,
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    scripts: { start: 'node server.ts' },
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

function readme({ names }: Platform): string {
  return paragraphs(
    `# Explorer of ${names.declared}`,
    'A page for people: the services and their endpoints, who may use them, the diagram, and requests to try as one or several users. It needs nothing from any other site.',
    'Beside the platform as `source deploy.sh` runs it:',
    codeBlock('sh', ['docker compose up --detach --build']),
    `It stands at \`http://localhost:${PORT}/\`, on this machine alone, unless \`EXPLORER_ADDRESS\` and \`EXPLORER_PORT\` say otherwise; \`docker compose down\` takes it away. Whoever reaches the page reaches the API through it, as through the gateway, so show it to those who may know the API alone.`,
    'With Node 24 or later and no container, for a gateway anywhere:',
    codeBlock('sh', [`GATEWAY=http://localhost:8080 PORT=${PORT} HOST=127.0.0.1 node server.ts`]),
    'After a change of the definition, `portico explorer` writes it anew.',
  )
}
