import type { Platform } from '../../model/platform.ts'
import { diagram } from '../diagram/diagram.ts'
import { diagramSvg } from '../diagram/svg.ts'
import { openApiDocument } from '../openapi/document.ts'
import { describePlatform, type LiveDescription } from './description.ts'

/**
 * Returns functions that generate the documents that the explorer loads, by file name.
 *
 * @param live returns what `portico dev` knows when a document is generated; `undefined` for a deployed explorer
 */
export function explorerDocuments(
  platform: Platform,
  live?: () => LiveDescription,
): Readonly<Record<string, () => string>> {
  return {
    'platform.json': () => JSON.stringify(describePlatform(platform, live?.())),
    'openapi.json': () => JSON.stringify(openApiDocument(platform)),
    'diagram.svg': () => diagramSvg(diagram(platform), { interactive: true, standalone: false }),
  }
}
