import { metadataValues } from '../calls.ts'
import { isBroken, spanOf } from '../syntax/places.ts'
import type { BlockNode, MetadataNode } from '../syntax/nodes.ts'
import { around, topBlock, topBlocks } from './around.ts'
import { insertingMember, replacing } from './edits.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

/** How many services are offered as the store of user metadata. */
const MOST_SERVICES = 5

/** What needs users gets them. */
export const addAuthMethod: QuickFix = ({ diagnostic, read }) => {
  const project = topBlock(read.definition, 'project')
  if (project === undefined || isBroken(project)) return []
  const edits = insertingMember(project, '#authMethod(email);')
  if (diagnostic.code === 'auth-without-method')
    return [preferred('Add `#authMethod(email);` to the project', ...edits)]
  // Users need a service that holds their metadata, and nobody but the author knows which.
  return topBlocks(read.definition)
    .filter((block) => block.kind === 'service' && !isBroken(block))
    .slice(0, MOST_SERVICES)
    .map((service) =>
      alternative(
        `Add \`#authMethod(email);\` to the project and \`#auth;\` to \`${service.name}\``,
        ...edits,
        ...insertingMember(service, '#auth;'),
      ),
    )
}

/** Some service becomes the store of user metadata. */
export const addAuth: QuickFix = ({ read }) => {
  const services = topBlocks(read.definition).filter((block) => block.kind === 'service' && !isBroken(block))
  return services
    .slice(0, MOST_SERVICES)
    .map((service) =>
      (services.length === 1 ? preferred : alternative)(
        `Add \`#auth;\` to \`${service.name}\``,
        ...insertingMember(service, '#auth;'),
      ),
    )
}

/** Everybody may read, as everybody may write. */
export const widenReading: QuickFix = (problem) => {
  const block = around(problem, 'Block')
  if (block === undefined || isBroken(block)) return []
  return [saying(block, 'readable', 'all')]
}

/** Only the creator writes, as only the creator reads. */
export const narrowWriting: QuickFix = (problem) => {
  const block = around(problem, 'Block')
  if (block === undefined || isBroken(block)) return []
  return [saying(block, 'writable', 'this')]
}

/** The block says `#name(by: who)`, whatever it said before. */
function saying(block: BlockNode, name: 'readable' | 'writable', who: 'this' | 'all') {
  const given = block.members.find(
    (member): member is MetadataNode => member.$type === 'Metadata' && member.name === name,
  )
  const value = given && metadataValues(given)[0]
  if (value !== undefined)
    return alternative(`Change to \`#${name}(by: ${who})\``, replacing(spanOf(value), who))
  return alternative(`Add \`#${name}(by: ${who});\``, ...insertingMember(block, `#${name}(by: ${who});`))
}
