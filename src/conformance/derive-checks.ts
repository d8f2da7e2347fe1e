import type { Platform, Service } from '../model/platform.ts'
import type { Check } from './check.ts'
import { accessChecks } from './checks/access-checks.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { bodyChecks } from './checks/request-bodies.ts'
import { combinationChecks } from './checks/combinations.ts'
import { createChecks } from './checks/create.ts'
import { deleteChecks } from './checks/delete.ts'
import { descriptionChecks } from './checks/api-description.ts'
import { gatewayChecks, tokenChecks } from './checks/gateway.ts'
import { idempotencyChecks } from './checks/idempotency.ts'
import { identityChecks } from './checks/identify.ts'
import { criteriaChecks } from './checks/criteria.ts'
import { listChecks } from './checks/list.ts'
import { optionalAttributeChecks } from './checks/optional-attributes.ts'
import { patchChecks } from './checks/patch.ts'
import { customEndpointChecks } from './checks/custom-endpoints.ts'
import { publicPathChecks } from './checks/public-paths.ts'
import { readChecks } from './checks/read.ts'
import { referenceChecks } from './checks/references.ts'
import { requiredAttributeChecks } from './checks/required-attributes.ts'
import { roleChecks } from './checks/roles.ts'
import { routingChecks } from './checks/routing.ts'
import { structChecks } from './checks/structs.ts'
import { timestampChecks } from './checks/timestamps.ts'
import { transitionChecks } from './checks/transitions.ts'
import { uniqueChecks } from './checks/unique.ts'
import { updateChecks } from './checks/update.ts'
import { valueChecks } from './checks/values.ts'
import { versionChecks } from './checks/versions.ts'
import { type Resource, resourcesOf, serviceResource } from './resource.ts'
import { NO_SAMPLES, type Samples } from './samples.ts'

/** The checks of each resource, in the order of the report. */
const RESOURCE_CHECKS: readonly ((resource: Resource) => Check[])[] = [
  routingChecks,
  createChecks,
  idempotencyChecks,
  readChecks,
  updateChecks,
  patchChecks,
  deleteChecks,
  listChecks,
  criteriaChecks,
  identityChecks,
  accessChecks,
  roleChecks,
  publicPathChecks,
  customEndpointChecks,
  structChecks,
  requiredAttributeChecks,
  optionalAttributeChecks,
  valueChecks,
  transitionChecks,
  uniqueChecks,
  combinationChecks,
  timestampChecks,
  versionChecks,
  referenceChecks,
  bodyChecks,
]

/** Derives all checks of a platform from its model, and from the values that its hooks accept. */
export function deriveChecks(platform: Platform, samples: Samples = NO_SAMPLES): Check[] {
  return [
    ...gatewayChecks(platform),
    ...descriptionChecks(platform),
    ...authenticationChecks(platform),
    ...platform.services.flatMap((service) => serviceChecks(platform, service, samples)),
  ]
}

function serviceChecks(platform: Platform, service: Service, samples: Samples): Check[] {
  const scope = { platform, service, samples }
  return [
    ...tokenChecks(serviceResource(scope)),
    ...resourcesOf(scope).flatMap((resource) => RESOURCE_CHECKS.flatMap((checks) => checks(resource))),
  ]
}
