import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../platform.ts'

const DEFINITION = `
Fair: project {}
Home: service {
  title: string;
  Here: endpoint { #get("here"); #returns(Home); }
  Close: endpoint { #post("{id}/close"); #returns(Home); }
}
Guest: service { name: string; #uses[Home]; }
Stand: service { name: string; Latest: endpoint { #get("latest"); #returns(Stand); } }
Visit: service { name: string; #uses[Stand]; }
`

test('services whose endpoints need few schemas import nothing that they do not use', () => {
  const files = emitProject(platformOf(DEFINITION)).filter(({ path }) =>
    /^(?:home|guest|stand|visit)\/src\/.*\.ts$/.test(path),
  )
  const unused = files.flatMap(({ path, content }) =>
    Array.from(
      content.matchAll(/^import (?:type )?(?:\* as (\w+)|\{ (z|\w+Schemas) \}) from/gm),
      (found) => ({
        path,
        name: found[1] ?? found[2] ?? '',
        content,
      }),
    ).filter(({ name }) => content.split(new RegExp(`\\b${name}\\b`)).length < 3),
  )
  expect(unused.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  expect(files.map(({ path }) => path)).toContain('home/src/endpoint-routes.ts')
})
