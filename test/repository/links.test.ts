import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = globSync(['*.md', 'docs/*.md', 'examples/*/README.md', 'vscode-extension/*.md'], { cwd: ROOT })

const CODE_BLOCK = /^ *```[\s\S]*?^ *```$/gm
const LINK = /!?\[[^\]]*\]\(([^)\s]+)\)/g
const HEADING = /^#+ (.+)$/gm
/** A path from the root of the repository in backticks: `src/emit/project.ts`, `test/golden/`. */
const PATH =
  /`((?:\.ci|\.github|bench|bin|create-portico|docs|examples|explorer|playground|scripts|src|syntaxes|templates|test|vscode-extension)\/[^`\s]*|\.oxlintrc\.json)`/g

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The anchors of a page, as GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).replaceAll(CODE_BLOCK, '').matchAll(HEADING)]
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** The links of a page to files or headings that do not exist. */
function brokenLinks(page: string): string[] {
  const links = [...read(page).replaceAll(CODE_BLOCK, '').matchAll(LINK)].map(([, target = '']) => target)
  return links.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path))
    if (!existsSync(join(ROOT, file))) return true
    return anchor !== undefined && !anchorsOf(file).has(anchor)
  })
}

describe('the pages of the project', () => {
  test.each(PAGES)('%s has no broken links', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  test('docs/ has no page that the README does not link to', () => {
    const readme = read('README.md')
    expect(PAGES.filter((page) => page.startsWith('docs/') && !readme.includes(`(${page})`))).toEqual([])
  })

  test.each(['AGENTS.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names paths that exist', (page) => {
    const paths = [...read(page).matchAll(PATH)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(10)
    // `<target>` stands for any name.
    const missing = paths.filter(
      (path) => globSync(path.replaceAll(/<\w+>/g, '*'), { cwd: ROOT }).length === 0,
    )
    expect(missing).toEqual([])
  })
})
