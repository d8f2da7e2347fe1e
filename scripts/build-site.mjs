// Builds the site for any static web server: `node scripts/build-site.mjs [directory]`. Without a directory, builds it
// into dist/site and serves it on this machine. With REPOSITORY, the address of the repository in the web, pages link to
// files of it.
import { spawnSync } from 'node:child_process'
import { cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installIn } from './ensure-installed.mjs'

const root = resolve(fileURLToPath(new URL('..', import.meta.url)))
const outdir = resolve(process.argv[2] ?? join(root, 'dist/site'))
const pages = join(root, 'dist/site-pages')
const repository = process.env['REPOSITORY']

installIn('site')
await rm(pages, { recursive: true, force: true })
await cp(join(root, 'docs'), pages, { recursive: true })
await cp(join(root, 'site/index.md'), join(pages, 'index.md'))
await mkdir(join(pages, 'examples'))
for await (const path of glob('examples/*/README.md', { cwd: root }))
  await cp(join(root, path), join(pages, `${dirname(path)}.md`))
for (const file of await readdir(pages, { recursive: true }))
  if (file.endsWith('.md')) {
    const text = await readFile(join(pages, file), 'utf8')
    await writeFile(join(pages, file), withLinks(inTabs(text)))
  }
run(process.execPath, [join(root, 'scripts/bundle-playground.mjs'), join(pages, 'public/playground')])
vitepress('build', '--outDir', outdir)
if (process.argv[2] === undefined) vitepress('preview', '--outDir', outdir)

/** Shows an example in two languages in two tabs. */
function inTabs(text) {
  return text.replaceAll(
    new RegExp(`^${block('ts')}\\n${block('go')}`, 'gm'),
    (blocks) => `::: code-group\n${blocks.replace(/^```(ts|go).*/gm, named)}:::\n`,
  )
}

/** The pattern of a block of code in a language, with or without the name of its file. */
function block(language) {
  return `\`\`\`${language}(?: \\S+)?\\n(?:(?!\`\`\`).*\\n)*\`\`\`\\n`
}

/** The start of a block of code whose tab shows its file, or else its language. */
function named(start, language) {
  const [, file = language === 'ts' ? 'TypeScript' : 'Go'] = start.split(' ')
  return `\`\`\`${language} [${file}]`
}

/** The site has the pages of examples. Other files outside of docs/ are in the repository. */
function withLinks(text) {
  return text
    .replaceAll(/\]\(\.\.\/examples\/(\w+)\)/g, '](examples/$1.md)')
    .replaceAll('](../examples)', '](examples/stays.md)')
    .replaceAll('<repository>', repository ?? '<repository>')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g, (_, label, path) =>
      repository === undefined ? label : `[${label}](${repository}/tree/main/${path})`,
    )
}

function vitepress(command, ...options) {
  run(process.execPath, [
    join(root, 'site/node_modules/vitepress/bin/vitepress.js'),
    command,
    'site',
    ...options,
  ])
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
