import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Language, LANGUAGE_CHOICES } from '../../src/language/builtins.ts'
import { Changes } from './changes.tsx'
import { Compiler } from './compiler.ts'
import type { Project } from './compiler.worker.ts'
import type { Definition } from './definition.ts'
import { DefinitionEditor } from './editor.ts'
import { Endpoints } from './endpoints.tsx'
import type { Example } from './examples.ts'
import { FileView, Tree } from './file-list.tsx'
import { encode } from './share.ts'
import { archiveOf } from './zip.ts'

interface AppProps {
  readonly examples: readonly Example[]
  readonly definition: Definition
}

/** The definition is a tab on narrow screens only. */
const TABS = ['Definition', 'Diagram', 'Endpoints', 'Files', 'Changes'] as const
const NARROW = matchMedia('(max-width: 800px)')

/** The page: the editor of a definition, and what becomes of it. */
export function App({ examples, definition }: AppProps): JSX.Element {
  const [tab, setTab] = useState<(typeof TABS)[number]>(NARROW.matches ? 'Definition' : 'Diagram')
  const [isNarrow, setIsNarrow] = useState(NARROW.matches)
  const [shown, setShown] = useState(definition[0].path)
  const [paths, setPaths] = useState(definition.map(({ path }) => path))
  const [language, setLanguage] = useState<Language>()
  const [status, setStatus] = useState('Starting')
  const [project, setProject] = useState<Project>()
  const [isCurrent, setIsCurrent] = useState(true)
  const [file, setFile] = useState('README.md')
  const [change, setChange] = useState<string>()
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<DefinitionEditor>(undefined)
  const compiler = useRef<Compiler>(undefined)
  const chosen = useRef<Language>(undefined)

  useEffect(() => {
    if (parent.current === null) return
    compiler.current = new Compiler((compiled) => {
      setIsCurrent(compiled !== undefined)
      if (compiled !== undefined) setProject(compiled)
    })
    compiler.current.compile(definition, undefined, true)
    editor.current = new DefinitionEditor(parent.current, definition, {
      onChange: (changed) => compiler.current?.compile(changed, chosen.current, false),
      onShow: setShown,
      onProblems: (errors, warnings) =>
        setStatus(
          errors + warnings === 0
            ? 'No problems'
            : [counted(errors, 'error'), counted(warnings, 'warning')].filter(Boolean).join(', '),
        ),
    })
  }, [definition])

  useEffect(() => {
    const update = (): void => {
      setIsNarrow(NARROW.matches)
      if (!NARROW.matches) setTab((current) => (current === 'Definition' ? 'Diagram' : current))
    }
    NARROW.addEventListener('change', update)
    return () => NARROW.removeEventListener('change', update)
  }, [])

  const tabs = TABS.filter((name) => isNarrow || name !== 'Definition')
  const compileAgain = (isStart: boolean): void => {
    if (editor.current !== undefined)
      compiler.current?.compile(editor.current.definition, chosen.current, isStart)
  }
  const choose = (name: string): void => {
    const example = examples.find((each) => each.name === name)
    if (example === undefined) return
    editor.current?.replace(example.definition)
    setPaths(example.definition.map(({ path }) => path))
    // The editor does not report this change: later versions are compared with this one.
    compileAgain(true)
  }
  const share = async (): Promise<void> => {
    if (editor.current === undefined) return
    history.replaceState(undefined, '', `#${await encode(editor.current.definition)}`)
    const isCopied = await navigator.clipboard.writeText(location.href).then(
      () => true,
      () => false,
    )
    setStatus(isCopied ? 'The link was copied' : 'The address has the definition')
  }
  const download = (): void => {
    if (editor.current === undefined || project === undefined) return
    const archive = new Blob([archiveOf(editor.current.definition, project.files)])
    const url = URL.createObjectURL(archive)
    const link = Object.assign(document.createElement('a'), { href: url, download: 'platform.zip' })
    link.click()
    URL.revokeObjectURL(url)
  }
  const openFile = project?.files.find(({ path }) => path === file) ?? project?.files[0]

  return (
    <>
      <header>
        <h1>Portico</h1>
        <label>
          Example{' '}
          <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {examples.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Language{' '}
          <select
            onChange={({ currentTarget }) => {
              const name = LANGUAGE_CHOICES.find(({ value }) => value === currentTarget.value)?.value
              chosen.current = name
              setLanguage(name)
              compileAgain(true)
            }}
            value={language ?? ''}
          >
            <option value="">as declared</option>
            {LANGUAGE_CHOICES.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <output>{status}</output>
        <button type="button" onClick={() => void share()}>
          Share
        </button>
        <button type="button" disabled={!isCurrent || project === undefined} onClick={download}>
          Download
        </button>
      </header>
      <main class={tab === 'Definition' ? 'shows-definition' : ''}>
        <section class="editor" id="definition" aria-label="Definition">
          {paths.length > 1 && (
            <nav aria-label="Files of the definition">
              {paths.map((path) => (
                <button
                  key={path}
                  type="button"
                  aria-current={path === shown ? 'true' : undefined}
                  onClick={() => editor.current?.show(path)}
                >
                  {path}
                </button>
              ))}
            </nav>
          )}
          <div class="text" ref={parent} />
        </section>
        <section class="platform" aria-label="Platform">
          <div class="tabs" role="tablist">
            {tabs.map((name, index) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-selected={name === tab}
                aria-controls={name === 'Definition' ? 'definition' : 'pane'}
                tabIndex={name === tab ? 0 : -1}
                onClick={() => setTab(name)}
                onKeyDown={({ key }) => {
                  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
                  const next = tabs.at((index + step) % tabs.length)
                  if (step === 0 || next === undefined) return
                  setTab(next)
                  document.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
                }}
              >
                {name}
              </button>
            ))}
          </div>
          {!isCurrent && (
            <p class="stale" role="status">
              The definition has errors. This is its last valid version.
            </p>
          )}
          <div class="pane" id="pane" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
            {project !== undefined && tab === 'Diagram' && (
              // The SVG is Portico's, which quotes all texts of the definition.
              <div class="diagram" dangerouslySetInnerHTML={{ __html: project.svg }} />
            )}
            {project !== undefined && tab === 'Endpoints' && <Endpoints files={project.files} />}
            {project !== undefined && openFile !== undefined && tab === 'Files' && (
              <div class="files">
                <div class="list">
                  <Tree files={project.files} shown={openFile.path} onShow={setFile} />
                </div>
                <FileView file={openFile} />
              </div>
            )}
            {project !== undefined && tab === 'Changes' && (
              <Changes
                project={project}
                shown={change}
                onShow={setChange}
                onStart={() => compileAgain(true)}
              />
            )}
          </div>
        </section>
      </main>
    </>
  )
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}
