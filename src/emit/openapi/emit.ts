import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { yamlFile } from '../codegen/yaml.ts'
import { openApiDocument } from './document.ts'

/** The OpenAPI document: as YAML for people and tools, and as JSON for the gateway, which serves it. */
export function emitOpenApi(platform: Platform): GeneratedFile[] {
  const document = openApiDocument(platform)
  const head = `All endpoints of ${platform.names.declared}. The gateway serves this document as /api/openapi.json.`
  return [
    {
      path: `api/${platform.names.kebab}.openapi.yaml`,
      content: yamlFile(head, document),
      owner: 'generated',
    },
    {
      path: 'api/openapi.json',
      content: `${JSON.stringify(document)}\n`,
      owner: 'generated',
    },
  ]
}
