import type { Platform } from '../../model/platform.ts'
import { diagram } from '../diagram/diagram.ts'
import { diagramSvg } from '../diagram/svg.ts'
import { openApiDocument } from '../openapi/document.ts'
import { describePlatform } from './description.ts'

/**
 * What the explorer's page reads of a platform, by name, each to be worked out when it is needed. `isLive`: it can
 * follow what happens as well.
 */
export function pageDocuments(platform: Platform, isLive: boolean): Readonly<Record<string, () => string>> {
  return {
    'platform.json': () => JSON.stringify(describePlatform(platform, isLive)),
    'openapi.json': () => JSON.stringify(openApiDocument(platform)),
    'diagram.svg': () => diagramSvg(diagram(platform), { interactive: true, standalone: false }),
  }
}
