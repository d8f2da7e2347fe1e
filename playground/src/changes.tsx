import type { JSX } from 'preact'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import type { Project } from './compiler.worker.ts'
import { FileView } from './file-list.tsx'

interface ChangesProps {
  readonly project: Project
  readonly shown: string | undefined
  readonly onShow: (path: string) => void
  readonly onStart: () => void
}

/** What generation does to the project that the definition gave at the start: new migrations first. */
export function Changes({ project: { start, files }, shown, onShow, onStart }: ChangesProps): JSX.Element {
  const before = new Map(start.map((file) => [file.path, file]))
  const after = new Map(files.map((file) => [file.path, file]))
  // Generation does not change what belongs to the user, and leaves it where it is.
  const changed = files.filter(({ path, content, owner }) => {
    const old = before.get(path)
    return old === undefined || (owner !== 'user' && old.content !== content)
  })
  const removed = start.filter(({ path, owner }) => owner !== 'user' && !after.has(path))
  const all = [...changed, ...removed].toSorted((a, b) => rank(a) - rank(b))
  const file = all.find(({ path }) => path === shown) ?? all[0]
  if (file === undefined)
    return (
      <p class="empty">
        Change the definition to see what `portico generate` would write, migrations included.
      </p>
    )
  return (
    <div class="files">
      <div class="list">
        <button type="button" class="start" onClick={onStart}>
          Compare from here
        </button>
        <ul class="tree">
          {all.map((each) => (
            <li key={each.path}>
              <button
                type="button"
                aria-current={each === file ? 'true' : undefined}
                onClick={() => onShow(each.path)}
              >
                <span class="sign">{after.has(each.path) ? (before.has(each.path) ? '~' : '+') : '−'}</span>{' '}
                {each.path}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <FileView
        file={after.has(file.path) ? file : { ...file, content: '' }}
        before={before.get(file.path)?.content ?? ''}
      />
    </div>
  )
}

function rank({ path }: GeneratedFile): number {
  return path.endsWith('.sql') ? 0 : 1
}
