import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/**
 * `llms.txt`: what Portico is, and its pages with what they are about, for language models (https://llmstxt.org). The
 * pages are those that the README links to, first those in its section "Learn more".
 */
export function llmsPage(): string {
  const readme = read('README.md')
  const [, learnMore = ''] = readme.split('\n## Learn more\n')
  const links = `${learnMore}${readme}`.matchAll(/\((\S+\.md)(?:#\S*)?\)/g)
  const pages = [...new Set(Array.from(links, ([, page = '']) => page))]
  return [
    `# ${titleOf(readme)}`,
    `> ${introductionOf(readme)}`,
    section('Documentation', pages.filter(isDocumentation)),
    section('Examples', globSync('examples/*/README.md', { cwd: ROOT }).sort()),
    section(
      'Optional',
      pages.filter((page) => !isDocumentation(page)),
    ),
  ].join('\n\n')
}

function isDocumentation(page: string): boolean {
  return page.startsWith('docs/')
}

function section(title: string, pages: readonly string[]): string {
  const entries = pages.map((page) => {
    const text = read(page)
    return `- [${titleOf(text)}](${page}): ${introductionOf(text)}`
  })
  return [`## ${title}`, '', ...entries].join('\n')
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/** The first paragraph of a page, without links. */
function introductionOf(text: string): string {
  const [, paragraph = ''] = /^# .+\n(?:\s|#.*\n|```[^]*?^```$|\|.*\n)*(.+)$/m.exec(text) ?? []
  return paragraph.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/:$/, '.')
}
