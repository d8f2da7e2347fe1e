import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../platform.ts'
import { temporaryDirectory } from '../service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
/** The layout of lines with longer names is not the formatter's in all details. */
const LONGEST = 13

/** A definition with every construct, all of whose names have about this length. */
function definition(length: number): string {
  const block = (letter: string) => letter.toUpperCase() + 'a'.repeat(length)
  const name = (letter: string) => letter + 'a'.repeat(length)
  const uses = length % 5 === 0 ? `#uses[${block('t')}];` : ''
  return `
P: project { #authMethod(email); #roles[${name('a')}, ${name('b')}, ${name('c')}]; ${length % 3 === 0 ? '#readable(by: all);' : ''} }
${block('u')}: service { name: string; #auth; }
${block('t')}: service {
  ${name('x')}: ${block('u')};
  ${name('y')}: string(10, 2) @unique;
  ${name('z')}: int(precision: 8) @serverSet;
  ${name('w')}: float(precision: 3, min: 1.5);
  ${name('c')}: string @client;
  ${name('e')}: string(15)? = "It's \\"open\\"" @unique;
  ${name('f')}: int(5, 1) = 3;
  ${name('g')}: datetime? = now;
  ${name('h')}: time = now;
  ${name('i')}: data?;
  ${name('j')}: ${block('t')}?;
  ${name('k')}: bool? @server;
  ${block('s')}: struct {
    ${name('x')}: ${block('u')};
    ${name('y')}: ${block('r')};
    ${name('v')}: ${block('r')};
    ${name('n')}: ${block('s')}?;
    ${name('m')}: ${block('r')}?;
    ${name('w')}: data(10);
    ${length % 3 === 0 ? '#versioned(required: true); #timestamps;' : ''}
    #enumerable(filter: [${name('x')}], sort: [${name('x')}, ${name('y')}]);
  }
  ${block('r')}: struct { ${name('x')}: string @server; ${name('y')}: ${block('q')}; }
  ${block('q')}: struct { ${name('o')}: date; ${name('p')}: ${block('t')}; }
  #enumerable;
  ${length % 2 === 0 ? '#omit[delete];' : '#versioned;'}
}
${block('v')}: service {
  ${name('x')}: bool;
  ${name('d')}: datetime;
  ${name('n')}: int(10, 2);
  ${name('e')}: string(20);
  ${uses}
  #enumerable(filter: [${name('x')}, ${name('d')}, ${name('n')}, ${name('e')}], sort: [${name('d')}, ${name('e')}]);
}
`
}

test('emitted code is formatted as the formatter would, whatever the length of names', async () => {
  const place = await temporaryDirectory()
  for (let length = 1; length <= LONGEST; length += 4) {
    for (const { path: name, content } of emitProject(platformOf(definition(length)))) {
      if (!/^(?!auth\/|lib\/).*\.ts$/.test(name)) continue
      const target = path.join(place, 'emitted', String(length), name)
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, content)
    }
  }
  const config = JSON.parse(await readFile(path.join(ROOT, 'biome.json'), 'utf8')) as Record<string, unknown>
  await writeFile(path.join(place, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: {} }))
  const said = await new Promise<string>((resolve) => {
    const options = { cwd: place, maxBuffer: 1 << 24 }
    execFile(
      path.join(ROOT, 'node_modules/.bin/biome'),
      ['format', '--colors=off', 'emitted'],
      options,
      (_error, stdout, stderr) => resolve(stdout + stderr),
    )
  })
  expect(said).toMatch(/No fixes applied/)
  expect(said).not.toMatch(/format ━/)
})
