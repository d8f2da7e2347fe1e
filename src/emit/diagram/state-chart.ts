import type { Transitions } from '../../model/platform.ts'

/** The lines of a Mermaid state diagram of how a value can change. States have ids, because a value may be one of Mermaid's words. */
export function stateChart({ initial, next }: Transitions): string[] {
  const ids = new Map(next.map(([value], index) => [value, `s${index}`]))
  const lines = [
    'direction LR',
    ...Array.from(ids, ([value, id]) => `state "${value}" as ${id}`),
    `[*] --> ${ids.get(initial)}`,
    ...next.flatMap(([from, to]) =>
      to.length === 0
        ? [`${ids.get(from)} --> [*]`]
        : to.map((value) => `${ids.get(from)} --> ${ids.get(value)}`),
    ),
  ]
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)]
}
