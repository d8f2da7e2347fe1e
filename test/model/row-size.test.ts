import { expect, test } from 'vitest'
import { MAX_PAGE } from '../../src/limits.ts'
import { emitProject } from '../../src/emit/project.ts'
import { rowBytes } from '../../src/model/row-size.ts'
import { BATCH_BYTES, MAX_ROWS } from '../../templates/typescript/lib/lists.ts'
import { platformOf } from '../emit/platform.ts'

const platformWith = (attributes: string) =>
  platformOf(`P: project {}\nHome: service { ${attributes} #enumerable; }`)

test.each([
  ['name: string(10);', 64 + 40],
  ['name: string(10); beds: int; open: bool;', 64 + 40 + 64 + 64],
  ['image: data(100);', 64 + 100],
  ['pin: string(10) @client;', 0],
  ['bio: string;', 64 + 10 * 1024 * 1024],
])('the largest row of %s', (attributes, bytes) => {
  expect(platformWith(attributes).services.map(({ entity }) => rowBytes(entity))).toEqual([bytes])
})

test.each([
  ['small', 'text: string(1008);', false],
  ['large', 'text: string(1009);', true],
])('a batch of %s rows is limited by bytes, if not by their number', (_, attributes, isMeasured) => {
  const platform = platformWith(attributes)
  const queries = emitProject(platform).find(({ path }) => path === 'home/src/queries/home.ts')?.content
  expect(queries?.includes('batchesBySize')).toBe(isMeasured)
  expect(MAX_ROWS).toBe(MAX_PAGE)
  const [largest = 0] = platform.services.map(({ entity }) => rowBytes(entity))
  if (!isMeasured) expect(largest * MAX_ROWS).toBeLessThanOrEqual(BATCH_BYTES)
})
