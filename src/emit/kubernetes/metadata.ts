import type { Platform } from '../../model/platform.ts'
import type { YamlObject } from '../codegen/yaml.ts'
import { sha256 } from '../../sha256.ts'

/** What an object is for. deploy.sh selects by it. */
export type Component =
  | 'namespace'
  | 'service'
  | 'database'
  | 'migration'
  | 'gateway'
  | 'autoscaling'
  | 'monitoring'

/** The namespaces that every cluster has. */
const EXISTING = /^(?:default|kube-(?:node-lease|public|system))$/

/** The namespace of a platform: none that every cluster has, whose other pods its policies would cut off. */
export function namespaceOf({ names }: Platform): string {
  return EXISTING.test(names.kebab) ? `${names.kebab}-platform` : names.kebab
}

/** The labels by which the pods of a workload are found: a service and its migrations have the same name. */
export function selector(name: string, component: Component): YamlObject {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': component }
}

/** The labels of an object and of its pods. */
export function labels(platform: Platform, name: string, component: Component): YamlObject {
  return { ...selector(name, component), 'app.kubernetes.io/part-of': namespaceOf(platform) }
}

/** With `#metrics`, the annotations by which a Prometheus that serves a whole cluster finds a pod. */
export function scrapeAnnotations({ metrics }: Platform, port: number, path: string): YamlObject {
  if (metrics === undefined) return {}
  return {
    annotations: {
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(port),
      'prometheus.io/path': path,
    },
  }
}

/** The first 8 digits of a text's SHA-256, for names that change with the content. */
export function contentHash(text: string): string {
  return sha256(text).slice(0, 8)
}

/** A name of at most `length` characters: a longer one ends in its hash instead. No service has two hyphens in its name. */
export function truncatedName(name: string, length: number): string {
  return name.length <= length ? name : `${name.slice(0, length - 10)}--${contentHash(name)}`
}
