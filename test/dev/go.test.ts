import { expect, test } from 'vitest'
import { buildTags } from '../../src/dev/targets/go.ts'

const MODULE = 'module example.com/p\n\ngo 1.26.0\n'
const EXPORTER = 'go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp v1.47.0'

test.each([
  ['no OpenTelemetry', '', 'portico_dev'],
  ['only its API', '\nrequire go.opentelemetry.io/otel v1.47.0\n', 'portico_dev'],
  ['the exporter', `\nrequire ${EXPORTER}\n`, 'portico_dev,otel'],
  ['the exporter among others', `\nrequire (\n\t${EXPORTER} // indirect\n)\n`, 'portico_dev,otel'],
])(
  'services in Go are built with the tag otel if the module requires the exporter: %s',
  (_title, text, tags) => {
    expect(buildTags(MODULE + text)).toBe(tags)
  },
)
