import { readFileSync } from 'node:fs'
import { defineConfig, type DefaultTheme } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import grammar from '../../syntaxes/portico.tmLanguage.json' with { type: 'json' }

// Pages as scripts/build-site.mjs lays them out.
const PAGES = new URL('../../dist/site-pages/', import.meta.url)
const EXAMPLES = ['stays', 'desk', 'field', 'toolshed', 'booking', 'chat', 'tiny', 'types', 'temple']

/** A group of the sidebar. Its entries have the titles of their pages. */
function group(text: string, ...names: string[]): DefaultTheme.SidebarItem {
  const items = names.map((name) => {
    const [, title = name] = /^# (.*)/m.exec(readFileSync(new URL(`${name}.md`, PAGES), 'utf8')) ?? []
    return { text: title.replaceAll('`', ''), link: `/${name}` }
  })
  return { text, items }
}

export default defineConfig({
  srcDir: '../dist/site-pages',
  title: 'Portico',
  description: 'One definition becomes a complete microservice platform, in TypeScript or Go.',
  cleanUrls: true,
  // The addresses of a platform that the reader runs.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    languages: [{ ...(grammar as object), name: 'portico' } as never],
    languageAlias: { console: 'shellsession' },
    // With more contrast than the default.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    sidebar: [
      group('Start', 'tutorial', 'comparison', 'editors'),
      group('Define', 'language', 'diagnostics'),
      group('Build', 'generated-project', 'hooks', 'patterns', 'go', 'api', 'testing', 'cli'),
      group('Change', 'regeneration', 'evolution'),
      group('Run', 'deployment', 'kubernetes', 'observability', 'performance', 'service-contract'),
      group('Examples', ...EXAMPLES.map((name) => `examples/${name}`)),
    ],
  },
  vite: { plugins: [llms()] },
})
