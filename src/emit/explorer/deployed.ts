import type { Platform } from '../../model/platform.ts'
import { containerHardening } from '../compose/container-settings.ts'
import type { GeneratedFile } from '../contract.ts'
import { codeBlock, paragraphs } from '../docs/markdown.ts'
import { GATEWAY_PORT } from '../gateway/envoy-names.ts'
import { readTemplate } from '../codegen/templates.ts'
import { yamlFile } from '../codegen/yaml.ts'
import { explorerDocuments } from './documents.ts'
import { headersOf } from './headers.ts'

const PORT = 8090
/** The health check. Node is the only HTTP client in the image. */
const HEALTH_CHECK = `fetch('http://127.0.0.1:${PORT}/').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))`

/**
 * Emits the explorer as a package to run next to a deployed platform: the page, a server that forwards requests to
 * the gateway, and a Compose file.
 *
 * @param assets the files of the built page, by name
 */
export function deployedExplorer(platform: Platform, assets: ReadonlyMap<string, string>): GeneratedFile[] {
  const documents = Object.entries(explorerDocuments(platform)).map(([name, text]) => [name, text()] as const)
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

/** The file and the headers of each path. */
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
  const head = `The API explorer of ${names.declared}. It sends requests to the gateway, like any client.`
  return yamlFile(head, {
    name: `${names.kebab}-explorer`,
    services: {
      explorer: {
        build: '.',
        environment: { GATEWAY: `\${GATEWAY:-http://gateway:${GATEWAY_PORT}}` },
        ports: [`\${EXPLORER_ADDRESS:-127.0.0.1}:\${EXPLORER_PORT:-${PORT}}:${PORT}`],
        networks: ['platform'],
        healthcheck: {
          test: ['CMD', 'node', '-e', HEALTH_CHECK],
          interval: '30s',
          timeout: '5s',
          start_period: '30s',
          start_interval: '1s',
        },
        ...containerHardening({ memory: 128, processes: 64 }),
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
    'A web page that shows the services, their endpoints and who can call them, and a diagram. You can send requests from it, as one or several users. It loads nothing from other sites.',
    'To run it next to a platform that `source deploy.sh` started:',
    codeBlock('sh', ['docker compose up --detach --build']),
    `Open \`http://localhost:${PORT}/\`. It listens on this machine only; set \`EXPLORER_ADDRESS\` and \`EXPLORER_PORT\` to change that. \`docker compose down\` removes it. The explorer gives access to the API, just as the gateway does, so make it reachable only by people who may use the API.`,
    'To run it without a container, for any gateway (requires Node 24 or later):',
    codeBlock('sh', [`GATEWAY=http://localhost:8080 PORT=${PORT} HOST=127.0.0.1 node server.ts`]),
    'After you change the definition, run `portico explorer` again.',
  )
}
