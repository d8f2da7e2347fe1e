import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { usedTargets } from '../targets.ts'
import { codeBlock, paragraphs } from './markdown.ts'

/** `shared/`, the user's. Images copy the directory, so it always has this file. */
export function emitSharedDirectory(platform: Platform): GeneratedFile[] {
  const examples = usedTargets(platform).flatMap(({ target }) => {
    const { language, code, tests } = target.readme.shared(platform.module)
    return [codeBlock(language, [code]), tests]
  })
  const content = paragraphs(
    '# Shared code',
    'This directory is yours: it is for code that several services use. Each image contains it, and `portico dev` restarts the services when it changes.',
    ...examples,
  )
  return [{ path: 'shared/README.md', content: `${content}\n`, owner: 'user' }]
}
