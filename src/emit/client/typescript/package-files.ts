import type { Platform } from '../../../model/platform.ts'
import type { GeneratedFile } from '../../contract.ts'
import { readTemplate } from '../../codegen/templates.ts'

/** The version of TypeScript that services use, from their lock file. */
interface Lock {
  readonly packages: { readonly '': { readonly devDependencies: { readonly typescript: string } } }
}

/** The files that make the directory an npm package that compiles and can be published. */
export function packageFiles({ names }: Platform): GeneratedFile[] {
  const lock = JSON.parse(readTemplate('typescript/project/package-lock.json')) as Lock
  const packageJson = {
    name: `${names.kebab}-client`,
    version: '1.0.0',
    description: `A client for ${names.declared}.`,
    private: true,
    type: 'module',
    sideEffects: false,
    files: ['dist'],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    scripts: { build: 'tsc', prepare: 'tsc' },
    devDependencies: { typescript: lock.packages[''].devDependencies.typescript },
  }
  return [
    { path: 'package.json', content: `${JSON.stringify(packageJson, undefined, 2)}\n`, owner: 'shared' },
    ...['tsconfig.json', 'gitignore'].map((name): GeneratedFile => {
      const path = name === 'gitignore' ? '.gitignore' : name
      return { path, content: readTemplate(`client/typescript/project/${name}`), owner: 'generated' }
    }),
  ]
}
