import { randomUUID } from 'node:crypto'
import type { Operation } from '../../model/platform.ts'
import { bodyWith, requestAttributes, requiredAttributes } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse } from '../expect.ts'
import { objectText } from '../body.ts'
import { collectionPath, itemPath, type Resource } from '../resource.ts'
import { invalidValues } from '../values/invalid.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { invalidParameterText, missingText } from '../../model/error-texts.ts'
import { unlinkedValues } from '../entity-values.ts'

/** Checks that create and update report missing and invalid attributes. */
export function requiredAttributeChecks(resource: Resource): Check[] {
  if (requiredAttributes(resource).length === 0) return []
  return (['create', 'update'] as const)
    .filter((operation) => hasEndpoints(resource, operation))
    .map((operation) => missingCheck(resource, operation))
}

function missingCheck(resource: Resource, operation: Extract<Operation, 'create' | 'update'>): Check {
  const names = requiredAttributes(resource).map((attribute) => attribute.names.declared)
  const list = names.map((name) => `\`${name}\``).join(', ')
  return resourceCheck(
    resource,
    `${operation} requires ${list}; the error names missing and invalid ones`,
    { entities: 0 },
    async (context) => {
      const user = await context.user(resource)
      const values = unlinkedValues(resource)
      // The body is validated before access is checked, so neither the parent nor the entity has to exist.
      const path =
        operation === 'create'
          ? collectionPath(resource, randomUUID())
          : itemPath(resource, randomUUID(), randomUUID())
      const refuses = async (body: string, error: string | RegExp) => {
        const exchange = await context.send({
          method: operation === 'create' ? 'POST' : 'PUT',
          path,
          as: user,
          body,
        })
        expectResponse(exchange, { status: 400, error })
      }
      await refuses('{}', missingText(names))
      await refuses(objectText(names.map((name) => [name, 'null'] as const)), missingText(names))
      await refuses(objectText([['__proto__', bodyWith(values, {})]]), missingText(names))
      for (const name of names) {
        await refuses(bodyWith(values, { [name]: undefined }), missingText([name]))
        await refuses(bodyWith(values, { [name]: 'null' }), missingText([name]))
      }
      const wrong = new Map(
        requestAttributes(resource).map(({ names: { declared }, type }) => [
          declared,
          invalidValues(type)[0]?.json ?? '{}',
        ]),
      )
      const reversed = objectText([...wrong].reverse())
      await refuses(reversed, invalidAttributePattern([...wrong.keys()][0] ?? ''))
      const last = names.at(-1)
      if (last !== undefined && wrong.size > 1)
        await refuses(
          bodyWith(values, { ...Object.fromEntries(wrong), [last]: undefined }),
          missingText([last]),
        )
    },
  )
}

/** Returns the pattern of the message about an invalid attribute. */
export function invalidAttributePattern(name: string): RegExp {
  return new RegExp(`^${invalidParameterText(name, '')}`)
}
