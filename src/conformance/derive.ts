import type { Platform, Service } from '../model/platform.ts'
import type { Check } from './check.ts'
import { accessChecks } from './checks/access.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { bodyChecks } from './checks/bodies.ts'
import { createChecks } from './checks/create.ts'
import { deleteChecks } from './checks/delete.ts'
import { descriptionChecks } from './checks/description.ts'
import { gatewayChecks, tokenChecks } from './checks/gateway.ts'
import { identityChecks } from './checks/identify.ts'
import { listChecks } from './checks/list.ts'
import { missingChecks } from './checks/missing.ts'
import { readChecks } from './checks/read.ts'
import { referenceChecks } from './checks/references.ts'
import { routingChecks } from './checks/routing.ts'
import { structChecks } from './checks/structs.ts'
import { uniqueChecks } from './checks/unique.ts'
import { updateChecks } from './checks/update.ts'
import { valueChecks } from './checks/values.ts'
import { type Place, placesOf } from './place.ts'

/** What is checked at each place, in the order of the report. */
const TOPICS: readonly ((platform: Platform, place: Place) => Check[])[] = [
  routingChecks,
  createChecks,
  readChecks,
  updateChecks,
  deleteChecks,
  listChecks,
  identityChecks,
  accessChecks,
  structChecks,
  missingChecks,
  valueChecks,
  uniqueChecks,
  referenceChecks,
  bodyChecks,
]

/** Everything that a platform with this model has to do, from the specification of what is generated. */
export function derive(platform: Platform): Check[] {
  return [
    ...gatewayChecks(platform),
    ...descriptionChecks(platform),
    ...authenticationChecks(platform),
    ...platform.services.flatMap((service) => serviceChecks(platform, service)),
  ]
}

function serviceChecks(platform: Platform, service: Service): Check[] {
  return [
    ...tokenChecks(platform, service),
    ...placesOf(service).flatMap((place) => TOPICS.flatMap((topic) => topic(platform, place))),
  ]
}
