import type { Platform } from '../../model/platform.ts'
import { diagram } from '../diagram/diagram.ts'
import { diagramSvg } from '../diagram/svg.ts'
import { openApiDocument } from '../openapi/document.ts'
import { describePlatform } from './description.ts'

/**
 * Returns functions that generate the documents that the explorer loads, by file name.
 *
 * @param isLive whether the server has a stream of events
 */
export function explorerDocuments(
  platform: Platform,
  isLive: boolean,
): Readonly<Record<string, () => string>> {
  return {
    'platform.json': () => JSON.stringify(describePlatform(platform, isLive)),
    'openapi.json': () => JSON.stringify(openApiDocument(platform)),
    'diagram.svg': () => diagramSvg(diagram(platform), { interactive: true, standalone: false }),
  }
}
