import type { Fault } from './fault.ts'

/** Declared endpoints: what they refuse before their handlers run. */
export const CUSTOM_ENDPOINT_FAULTS: readonly Fault[] = [
  {
    description: 'an endpoint that changes an entity checks only whether it can be read',
    files: {
      'home/src/endpoint-routes.ts': [['env.access.requireWritable(', 'env.access.requireReadable(']],
    },
    foundBy: 'Home: invite refuses the entity of another user',
  },
  {
    description: 'an endpoint about an entity does not check access',
    files: {
      'note/src/endpoint-routes.ts': [['await env.access.requireReadable(request.id, caller)', '']],
    },
    foundBy: 'Note: reminders refuses the entity of another user',
  },
  {
    description: 'an endpoint does not check references',
    files: {
      'note/src/endpoint-routes.ts': [[/await requireReferences\(.*\)/, '']],
    },
    foundBy: 'Note: import refuses requests without access, and invalid ones',
  },
  {
    description: 'a name in the path of an endpoint can be too long',
    files: {
      'home/src/endpoints.ts': [['place: text({ min: 2, max: 20 })', 'place: text({ min: 2, max: 21 })']],
    },
    foundBy: 'Home: nearby refuses requests without access, and invalid ones',
  },
]
