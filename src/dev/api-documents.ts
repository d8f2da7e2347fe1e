import type { GeneratedFile } from '../emit/contract.ts'
import { DOCUMENT_PATH } from '../emit/openapi/document.ts'
import type { ServedDocument } from './gateway/served-document.ts'

/** The file of the project that describes the API. */
const OPENAPI_FILE = 'api/openapi.json'

/** What the gateway serves beside the services, by path: the description of the API, as the project has it. */
export function apiDocuments(files: readonly GeneratedFile[]): ReadonlyMap<string, ServedDocument> {
  const file = files.find(({ path }) => path === OPENAPI_FILE)
  if (file === undefined) return new Map()
  return new Map([[DOCUMENT_PATH, { type: 'application/json', body: Buffer.from(file.content) }]])
}
