import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { Viewer } from './viewer.ts'

interface FileViewProps {
  readonly file: GeneratedFile
  /** The text that the file is compared with. */
  readonly before?: string | undefined
}

/** A generated file. */
export function FileView({ file, before }: FileViewProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null)
  const viewer = useRef<Viewer>(undefined)
  const { path, content } = file
  useEffect(() => {
    if (element.current === null) return
    viewer.current ??= new Viewer(element.current)
    viewer.current.show(path, content, before)
  }, [path, content, before])
  return <div class="viewer" ref={element} />
}

interface TreeProps {
  readonly files: readonly GeneratedFile[]
  readonly shown: string | undefined
  readonly onShow: (path: string) => void
  /** The folder whose content the tree is; ends in `/`. */
  readonly folder?: string
}

/** The files of a folder, as a tree. Those that belong to the user are marked. */
export function Tree({ files, shown, onShow, folder = '' }: TreeProps): JSX.Element {
  const names = [...new Set(files.map(({ path }) => path.slice(folder.length).split('/')[0] ?? ''))]
  const entries = names.map((name) => {
    const path = folder + name
    const file = files.find((each) => each.path === path)
    if (file === undefined) {
      const below = files.filter((each) => each.path.startsWith(`${path}/`))
      return {
        isFolder: true,
        element: (
          <li key={path}>
            <details open={shown?.startsWith(`${path}/`) ?? false}>
              <summary>{name}</summary>
              <Tree files={below} shown={shown} onShow={onShow} folder={`${path}/`} />
            </details>
          </li>
        ),
      }
    }
    return {
      isFolder: false,
      element: (
        <li key={path}>
          <button
            type="button"
            aria-current={path === shown ? 'true' : undefined}
            onClick={() => onShow(path)}
          >
            {name}
            {file.owner === 'user' && <small> yours</small>}
          </button>
        </li>
      ),
    }
  })
  return (
    <ul class="tree">
      {entries.filter(({ isFolder }) => isFolder).map(({ element }) => element)}
      {entries.filter(({ isFolder }) => !isFolder).map(({ element }) => element)}
    </ul>
  )
}
