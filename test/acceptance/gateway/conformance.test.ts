import { test } from 'vitest'
import { ROLES } from '../../conformance/faults/roles.ts'
import { withoutAuthentication } from '../../conformance/variants.ts'
import { platformOf } from '../../emit/platform.ts'
import { expectConformanceBehindEnvoy } from '../../gateway/conformance.ts'
import { example } from '../containers/definitions.ts'

const STAYS = example('stays/stays.portico')

test.each([
  ['with authentication', STAYS],
  ['with roles', ROLES],
  ['without authentication', withoutAuthentication(STAYS)],
])('behind Envoy, a platform %s conforms to its definition', (_, text) =>
  expectConformanceBehindEnvoy(platformOf(text)),
)
