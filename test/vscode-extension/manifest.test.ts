import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../vscode-extension/package.json' with { type: 'json' }
import repository from '../../package.json' with { type: 'json' }
import { DEFAULT_SETTINGS } from '../../src/lsp/editor-settings.ts'
import { CATALOGUE } from '../../src/diagnostics/catalogue.ts'
import { renderDiagnostic } from '../../src/diagnostics/render.ts'
import { checkText } from '../../src/language/parse.ts'

const FOLDER = path.join(import.meta.dirname, '../../vscode-extension')
const { contributes } = manifest
const sources = readdirSync(path.join(FOLDER, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(FOLDER, 'src', file), 'utf8'))
  .join('\n')

test('the version is that of Portico', () => {
  expect(manifest.version).toBe(repository.version)
})

test('the files in the manifest exist', () => {
  const [language] = contributes.languages
  const [walkthrough] = contributes.walkthroughs
  const files = [
    manifest.icon,
    language?.configuration,
    language?.icon.dark,
    language?.icon.light,
    ...(walkthrough?.steps.map(({ media }) => media.markdown ?? media.svg) ?? []),
  ]
  for (const file of files) expect(existsSync(path.join(FOLDER, file ?? '')), file).toBe(true)
})

test('the walkthrough shows keys, those of macOS with its signs', () => {
  const rows = readFileSync(path.join(FOLDER, 'walkthrough/editor.md'), 'utf8').match(/^\| [A-Z].*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) expect(row).toMatch(/^\| [^|`]+ \| `[A-Z][^|]* \| `(?:[⌃⌥⇧⌘]+\S+|F\d+)` \|$/)
  const run = readFileSync(path.join(FOLDER, 'walkthrough/run.md'), 'utf8')
  expect(run).toContain('`Ctrl+C` (`⌃C` on macOS)')
})

test('the manifest declares the commands that are registered', () => {
  const [, table = ''] = /const commands[^{]*\{(.*?)\n {2}\}/s.exec(sources) ?? []
  const implemented = [...table.matchAll(/^ {4}(\w+)[:,]/gm)].map(([, name]) => `portico.${name}`)
  // Only code lenses run these.
  const hidden = ['portico.showReferences', 'portico.showEndpoints']
  expect(contributes.commands.map(({ command }) => command).sort()).toEqual(
    implemented.filter((name) => !hidden.includes(name)).sort(),
  )
})

test('commands that start programs require a trusted workspace', () => {
  for (const name of ['portico.generate', 'portico.run'])
    expect(contributes.commands.find(({ command }) => command === name)?.enablement).toBe(
      'isWorkspaceTrusted',
    )
  expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
    'portico.commandLine.path',
  ])
})

test('the manifest describes the settings of the server, with their defaults', () => {
  const properties: Readonly<Record<string, { default?: unknown; markdownDescription?: string }>> =
    contributes.configuration[0]?.properties ?? {}
  for (const [section, switches] of Object.entries(DEFAULT_SETTINGS))
    for (const [name, value] of Object.entries(switches))
      expect(properties[`portico.${section}.${name}`]).toMatchObject({ default: value })
  for (const { markdownDescription } of Object.values(properties)) expect(markdownDescription).toMatch(/\.$/)
})

describe('the problem matcher', () => {
  const [matcher] = contributes.problemMatchers
  const [head, place] = (matcher?.pattern ?? []).map(({ regexp }) => new RegExp(regexp))

  // The examples of diagnostics for very large definitions are not definitions.
  const examples = Object.entries(CATALOGUE).flatMap(([code, { bad }]) => {
    const diagnostic = checkText(bad).diagnostics.find((one) => one.code === code)
    return diagnostic === undefined ? [] : [{ code, bad, diagnostic }]
  })

  test.each(examples)('reads the output for $code', ({ code, bad, diagnostic }) => {
    const [first = '', second = ''] = renderDiagnostic(diagnostic, bad, () => 'dir/shop.portico').split('\n')
    expect(head?.exec(first)?.slice(1)).toEqual([diagnostic.severity, code, diagnostic.message])
    const { line, column } = diagnostic.range.start
    expect(place?.exec(second)?.slice(1)).toEqual(['dir/shop.portico', String(line), String(column)])
  })
})
