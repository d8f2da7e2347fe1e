/** A graph: what it shows, its unit in Grafana, and expressions with the legends of their series. */
export interface Panel {
  readonly title: string
  readonly unit: 'reqps' | 's' | 'percentunit' | 'short' | 'bytes' | 'ops'
  readonly targets: Readonly<Record<string, string>>
}
