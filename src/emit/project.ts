import type { Platform } from '../model/platform.ts'
import type { Emitter, GeneratedFile } from './contract.ts'

/** Everything that a project consists of, one emitter a part. */
const EMITTERS: readonly Emitter[] = []

/** Every file of a platform's project, sorted by path so that the order of evaluation never shows. */
export function emitProject(platform: Platform): readonly GeneratedFile[] {
  return EMITTERS.flatMap((emitter) => emitter(platform)).sort((a, b) => (a.path < b.path ? -1 : 1))
}
