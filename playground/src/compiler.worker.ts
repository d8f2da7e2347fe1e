import { compile } from '../../src/compile.ts'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { diagram } from '../../src/emit/diagram/diagram.ts'
import { diagramSvg } from '../../src/emit/diagram/svg.ts'
import { planProject } from '../../src/emit/migrations/project-plan.ts'
import { emitProject } from '../../src/emit/project.ts'
import type { Language } from '../../src/language/builtins.ts'
import { type MigrationFolder, SCHEMA_FILE } from '../../src/migration/folder.ts'
import type { DefinitionText } from './definition.ts'

/** A definition to compile. */
export interface CompileRequest {
  /** The first one imports the others. */
  readonly texts: readonly DefinitionText[]
  /** The language of every service; `undefined` for what the definition says. */
  readonly language: Language | undefined
  /** Makes this version the one that later ones are compared with: they get migrations that start from it. */
  readonly isStart: boolean
}

/** What becomes of a definition. */
export interface Project {
  readonly files: readonly GeneratedFile[]
  /** One SVG element. */
  readonly svg: string
  /** The files of the version that this one is compared with. */
  readonly start: readonly GeneratedFile[]
}

let start: readonly GeneratedFile[] = []

self.addEventListener('message', ({ data }: MessageEvent<CompileRequest>) =>
  self.postMessage(projectOf(data)),
)

/** The project of a definition; `undefined` while it has errors. */
function projectOf({ texts: [main, ...imported], language, isStart }: CompileRequest): Project | undefined {
  if (main === undefined) return undefined
  const { platform } = compile(main.text, language === undefined ? {} : { language }, {
    name: main.path,
    read: (path) =>
      imported.find((each) => each.path === path)?.text ?? { reason: 'no such file or directory' },
    files: () => imported.map(({ path }) => path),
  })
  if (platform === undefined) return undefined
  const folders = isStart ? [] : migrationFolders(start)
  const files = emitProject(platform, planProject(platform, folders).files)
  if (isStart || start.length === 0) start = files
  const svg = diagramSvg(diagram(platform), { standalone: true })
  return { files, svg, start }
}

/** The `migrations` directories of a project, as generation finds them on a disk. */
function migrationFolders(project: readonly GeneratedFile[]): MigrationFolder[] {
  const folders = Map.groupBy(
    project.filter(({ path }) => /^[^/]+\/migrations\/[^/]+$/.test(path)),
    ({ path }) => path.slice(0, path.lastIndexOf('/')),
  )
  return Array.from(folders, ([path, found]) => {
    const files = found.map(({ path: file, content }) => ({ name: file.slice(path.length + 1), content }))
    return {
      path,
      files: files.filter(({ name }) => name !== SCHEMA_FILE),
      schema: files.find(({ name }) => name === SCHEMA_FILE)?.content,
    }
  })
}
