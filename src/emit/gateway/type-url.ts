import type { YamlObject } from '../kit/yaml.ts'

/** An extension's settings with the name of their message, below `envoy.`: `extensions.filters.http.router.v3.Router`. */
export function typed(message: string, settings: YamlObject = {}): YamlObject {
  return { '@type': `type.googleapis.com/envoy.${message}`, ...settings }
}
