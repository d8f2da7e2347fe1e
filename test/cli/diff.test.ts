import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { beforeEach, describe, expect, it } from 'vitest'
import { run, runProcess, temporaryDirectory } from './harness.ts'

const OLDER = `Shop: project {}
Order: service {
  note: string(80);
  #omit[update, delete];
}
`
const NEWER = `Shop: project {}
Order: service {
  note: string(40);
  #omit[update];
}
`
const BREAKING = {
  rule: 'request-bounds-narrowed',
  breaking: true,
  endpoint: 'POST /api/order',
  reason:
    '`Order.note` accepts fewer values: string, at most 40 characters (before: string, at most 80 characters)',
}

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'old.portico'), OLDER)
  writeFileSync(join(cwd, 'new.portico'), NEWER)
})

describe('portico diff', () => {
  it('prints breaking changes first, each with its endpoints', async () => {
    expect(await runProcess(['diff', 'old.portico', 'new.portico'], { cwd })).toEqual({
      status: 0,
      stdout: `breaking[request-bounds-narrowed]: ${BREAKING.reason}
  POST /api/order

compatible[response-bounds-narrowed]: \`Order.note\` can have fewer values: string, at most 40 characters (before: string, at most 80 characters)
  POST /api/order
  GET /api/order/{id}

compatible[endpoint-added]: The endpoint is new
  DELETE /api/order/{id}

1 breaking change, 2 compatible changes
`,
      stderr: '',
    })
  })

  it('prints Markdown', async () => {
    const { status, stdout } = await run(['diff', 'old.portico', 'new.portico', '--format', 'markdown'], {
      cwd,
    })
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `## Breaking changes

- ${BREAKING.reason} (\`request-bounds-narrowed\`)
  - \`POST /api/order\`

## Compatible changes

- \`Order.note\` can have fewer values: string, at most 40 characters (before: string, at most 80 characters) (\`response-bounds-narrowed\`)
  - \`POST /api/order\`
  - \`GET /api/order/{id}\`
- The endpoint is new (\`endpoint-added\`)
  - \`DELETE /api/order/{id}\`
`,
    })
  })

  it('prints Markdown in which texts of the definition are only code', async () => {
    const text =
      '`[x](https://evil.example) ![x](https://evil.example/x.png) @team #1 https://evil.example <b>x</b> ``'
    writeFileSync(join(cwd, 'new.portico'), OLDER.replace('string(80)', `string(200) = "${text}"`))
    writeFileSync(join(cwd, 'old.portico'), OLDER.replace('string(80)', `string(200) = "older ${text}"`))
    const { stdout } = await run(['diff', 'old.portico', 'new.portico', '--format', 'markdown'], { cwd })
    const html = micromark(stdout, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    expect(html).toContain('@team')
    const outside = html.replaceAll(/<code>.*?<\/code>/g, '')
    expect(outside).not.toMatch(/<a |<img |<b>|@|#1|evil/)
  })

  it('prints JSON, one change in a line', async () => {
    const { status, stdout } = await run(['diff', 'old.portico', 'new.portico', '--format', 'json'], { cwd })
    const changes = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect({ status, changes: changes.length, first: changes[0] }).toEqual({
      status: 0,
      changes: 4,
      first: BREAKING,
    })
  })

  it('fails on breaking changes only if asked to', async () => {
    const status = async (...args: readonly string[]) =>
      (await run(['diff', ...args, '--fail-on', 'breaking'], { cwd })).status
    expect(await status('old.portico', 'new.portico')).toBe(1)
    expect(await status('old.portico', 'new.portico', '--format', 'json')).toBe(1)
    writeFileSync(join(cwd, 'more.portico'), OLDER.replace(', delete', ''))
    expect(await status('old.portico', 'more.portico')).toBe(0)
  })

  it('says that nothing changes for clients', async () => {
    for (const format of ['text', 'markdown'])
      expect(await run(['diff', 'old.portico', '-', '--format', format], { cwd, stdin: OLDER })).toEqual({
        status: 0,
        stdout: 'No changes for clients\n',
        stderr: '',
      })
    expect(await run(['diff', '-', 'old.portico', '--format', 'json'], { cwd, stdin: OLDER })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('reports the errors of both definitions', async () => {
    writeFileSync(join(cwd, 'old.portico'), 'Shop: project {}\n')
    writeFileSync(join(cwd, 'new.portico'), 'Shop: project {}\nOrder: service { note: text; }\n')
    const { status, stdout, stderr } = await run(['diff', 'old.portico', 'new.portico'], { cwd })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('old.portico: 1 error\n')
    expect(stderr).toContain('error[unknown-type]')
    expect(stderr).toContain('new.portico: 1 error\n')
  })

  it('does not report hints and warnings', async () => {
    const warned = OLDER.replace('{}', '{ #readable(all); }')
    expect((await run(['validate', '--hints', '-'], { stdin: warned })).stderr).toContain('hint[')
    expect((await run(['diff', '-', 'new.portico'], { cwd, stdin: warned })).stderr).toBe('')
  })

  it.each([
    [
      ['old.portico'],
      'Missing newer definition\nhelp: pass two definitions, or `--against <revision>` to compare with a Git revision',
    ],
    [['-', '-'], 'Only one definition can be read from standard input'],
    [['-', '--against', 'HEAD'], '`--against` cannot compare standard input\nhelp: pass a file'],
    [
      ['old.portico', 'new.portico', '--against', 'HEAD'],
      '`--against` compares one definition with its older version',
    ],
    [['old.portico', 'new.portico', '--fail-on', 'any'], 'Invalid value `any` for `--fail-on`'],
  ])('rejects %j', async (args, message) => {
    const { status, stdout, stderr } = await run(['diff', ...args], { cwd, stdin: OLDER })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`error: ${message}\n`)
  })

  it('reports a file that it cannot read', async () => {
    for (const args of [
      ['none.portico', 'new.portico'],
      ['old.portico', 'none.portico'],
    ])
      expect(await run(['diff', ...args], { cwd })).toEqual({
        status: 3,
        stdout: '',
        stderr: 'error: Could not read `none.portico`: no such file or directory\n',
      })
  })

  it('reports that Git is not installed', async () => {
    expect(await run(['diff', 'old.portico', '--against', 'HEAD'], { cwd, env: { PATH: cwd } })).toEqual({
      status: 3,
      stdout: '',
      stderr: 'error: Git is not installed\n',
    })
  })
})
