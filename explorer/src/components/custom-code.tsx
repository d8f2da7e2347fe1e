import type { ServiceDescription } from '../../../src/emit/explorer/description.ts'

/** Says whether the code of a service can allow less than its definition, as far as that is known. */
export function CustomCode({ service, isLive }: { service: ServiceDescription; isLive: boolean }) {
  const { customCode } = service
  if (isLive && customCode === undefined)
    return <p class="muted">It has no hooks: the definition decides who may do what.</p>
  return (
    <p class="muted">
      {customCode === undefined ? (
        'If it has hooks'
      ) : (
        <>
          It has code in <code>{customCode}</code>, whose hooks
        </>
      )}
      {customCode === undefined ? ', they can' : ' can'} refuse what the definition allows, and change or hide
      values.
    </p>
  )
}
