import { randomUUID } from 'node:crypto'
import type { Operation, Platform } from '../../model/platform.ts'
import { bodyWith, requestedOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer } from '../expect.ts'
import { objectText } from '../json.ts'
import { collectionPath, itemPath, type Place } from '../place.ts'
import { refusedCases } from '../values/refused.ts'
import { placeCheck, serves } from './build.ts'

/** What create and update have to say about a body that lacks attributes or has several wrong ones. */
export function missingChecks(platform: Platform, place: Place): Check[] {
  if (requestedOf(place).length === 0) return []
  return (['create', 'update'] as const)
    .filter((operation) => serves(place, operation))
    .map((operation) => missingCheck(platform, place, operation))
}

function missingCheck(
  platform: Platform,
  place: Place,
  operation: Extract<Operation, 'create' | 'update'>,
): Check {
  const names = requestedOf(place).map((attribute) => attribute.names.declared)
  const list = names.map((name) => `\`${name}\``).join(', ')
  return placeCheck(
    platform,
    place,
    `${operation} asks for ${list}, and names what is missing or wrong`,
    { entities: 0 },
    async (scope) => {
      const by = await scope.caller(place)
      const values = scope.emptyDraft(place)
      // Bodies are looked at before access: neither the parent nor the entity has to exist.
      const path =
        operation === 'create'
          ? collectionPath(place, randomUUID())
          : itemPath(place, randomUUID(), randomUUID())
      const refuses = async (body: string, error: string | RegExp) => {
        const exchange = await scope.send({
          method: operation === 'create' ? 'POST' : 'PUT',
          path,
          as: by,
          body,
        })
        expectAnswer(exchange, { status: 400, error })
      }
      await refuses('{}', missing(names))
      await refuses(objectText(names.map((name) => [name, 'null'] as const)), missing(names))
      await refuses(objectText([['__proto__', bodyWith(values, {})]]), missing(names))
      for (const name of names) {
        await refuses(bodyWith(values, { [name]: undefined }), missing([name]))
        await refuses(bodyWith(values, { [name]: 'null' }), missing([name]))
      }
      const wrong = new Map(
        requestedOf(place).map(({ names: { declared }, type }) => [
          declared,
          refusedCases(type)[0]?.json ?? '{}',
        ]),
      )
      const reversed = objectText([...wrong].reverse())
      await refuses(reversed, invalid(names[0] ?? ''))
      const last = names.at(-1)
      if (last !== undefined && names.length > 1)
        await refuses(bodyWith(values, { ...Object.fromEntries(wrong), [last]: undefined }), missing([last]))
    },
  )
}

function missing(absent: readonly string[]): string {
  return `Missing request parameter(s): ${absent.join(', ')}`
}

/** What the message about an attribute of the wrong type or outside its bounds has to match. */
export function invalid(name: string): RegExp {
  return new RegExp(`^Invalid request parameter ${name}: `)
}
