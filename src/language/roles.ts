import { AstUtils } from 'langium'
import { metadataWords } from './argument-binding.ts'
import { isDefinition, isMetadata, isWordValue, type WordValue } from './generated/ast.ts'
import { definitionIndex, metadataOf } from './validation/definition-index.ts'

/** The declaration of a role that `#readable`, `#writable` or `#access` admits, or that `#roles` declares. */
export function roleOf(word: WordValue): WordValue | undefined {
  const metadata = AstUtils.getContainerOfType(word, isMetadata)
  const definition = AstUtils.findRootNode(word)
  if (metadata === undefined || !isDefinition(definition)) return undefined
  if (!['roles', 'readable', 'writable', 'access'].includes(metadata.name)) return undefined
  const { project } = definitionIndex(definition)
  const roles = project && metadataOf(project, 'roles')
  return (
    roles &&
    metadataWords(roles)
      .filter(isWordValue)
      .find((role) => role.word === word.word)
  )
}
