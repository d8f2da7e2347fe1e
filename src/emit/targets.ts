import { memorySteps } from '../model/capacity.ts'
import { type DeployedService, deployedServices } from '../model/deployed-services.ts'
import type { Language, Platform } from '../model/platform.ts'
import type { GeneratedFile } from './contract.ts'
import { GO } from './go/target.ts'
import type { Target, TargetPart } from './target.ts'
import { TYPESCRIPT } from './typescript/target.ts'

/** The languages that services can be generated in. */
const TARGETS: Readonly<Record<Language, Target>> = {
  typescript: TYPESCRIPT,
  go: GO,
}

/** Returns the target of a service. */
export function targetOf({ language }: Pick<DeployedService, 'language'>): Target {
  return TARGETS[language]
}

/** A target that a platform uses, and its part of the platform. */
export interface UsedTarget {
  readonly target: Target
  readonly part: TargetPart
}

/** Returns the targets of a platform, in the order of its services. */
export function usedTargets(platform: Platform): UsedTarget[] {
  const languages = new Set(deployedServices(platform).map(({ language }) => language))
  return Array.from(languages, (language) => {
    const [services, others] = [true, false].map((isOwn) =>
      platform.services.filter((service) => (service.language === language) === isOwn),
    )
    const authentication =
      platform.authentication?.language === language ? platform.authentication : undefined
    const callers = [...(services ?? []), ...(authentication === undefined ? [] : [authentication])]
    const called = new Set(callers.flatMap(({ calls }) => calls.map(({ directory }) => directory)))
    return {
      target: targetOf({ language }),
      part: {
        platform: { ...platform, services: services ?? [] },
        authentication,
        foreign: others?.filter(({ directory }) => called.has(directory)) ?? [],
      },
    }
  })
}

/** The code of all services, and what those in one language share. */
export function emitServices(platform: Platform): GeneratedFile[] {
  return usedTargets(platform).flatMap(({ target, part: { authentication, ...part } }) => {
    const files = [
      ...(authentication === undefined ? [] : target.authenticationFiles(platform, authentication)),
      ...part.platform.services.flatMap((service) => target.serviceFiles(platform, service)),
    ]
    return [...files, ...target.sharedFiles({ authentication, ...part }, files)]
  })
}

/** The memory limit of a service in MiB, which the largest bodies that it accepts decide. */
export function serviceMemory(deployed: DeployedService): number {
  const { base, bodyFactor } = targetOf(deployed).memory
  return memorySteps(base + (bodyFactor * deployed.maxBodyBytes) / 2 ** 20)
}
