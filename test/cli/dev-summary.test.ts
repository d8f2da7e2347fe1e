import { expect, test } from 'vitest'
import { colorsFor } from '../../src/cli/colors.ts'
import { devSummary } from '../../src/cli/dev-summary.ts'
import { platformOf } from '../emit/platform.ts'

const COLORS = colorsFor('never', undefined, {})

test('the summary counts the endpoints of users too', () => {
  const platform = platformOf(`
    Fair: project { #authMethod(email); }
    Person: service { name: string; #auth; }
    Home: service { title: string; Here: endpoint { #get("here"); #returns(Home); } }
  `)
  expect(devSummary({ platform: () => platform, explorer: undefined, failed: [] }, 1, COLORS)).toEqual([
    '✔ Fair is ready: 3 services, 14 endpoints (1.0 s)',
    '  /api/auth    2 endpoints',
    '  /api/person  6 endpoints',
    '  /api/home    6 endpoints',
  ])
})
