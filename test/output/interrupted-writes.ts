import type { Generation } from '../../src/output/plan.ts'
import { generation, packageJson } from './project.ts'

/** A project, and its next state in which something of every kind happens to a file. */
export const OLD: Generation = generation({
  'README.md': 'old readme\n',
  'home/package.json': packageJson({ name: 'home', dependencies: { hono: '1.0.0' } }),
  'home/src/main.ts': 'old main\n',
  'home/src/setup.ts': 'first setup\n',
  'home/src/edited.ts': 'generated\n',
  'gone/src/main.ts': 'gone\n',
  'gone/src/kept.ts': 'gone too\n',
})

export const NEW: Generation = generation(
  {
    'README.md': 'new readme\n',
    'home/package.json': packageJson({ name: 'home', dependencies: { hono: '2.0.0' } }),
    'home/src/main.ts': 'new main\n',
    'home/src/setup.ts': 'second setup\n',
    'home/src/edited.ts': 'generated anew\n',
    'host/src/main.ts': 'host main\n',
    'host/src/setup.ts': 'host setup\n',
  },
  { definition: 'P: project {}' },
)

/** What the user did to the old project before. */
export const EDITS: Readonly<Record<string, string>> = {
  'home/src/setup.ts': 'the setup of the user\n',
  'home/package.json': packageJson({ name: 'home', dependencies: { hono: '1.0.0', lodash: '4.0.0' } }),
  'home/src/edited.ts': 'edited by hand\n',
  'gone/src/kept.ts': 'edited by hand too\n',
  'notes.txt': 'notes of the user\n',
}
