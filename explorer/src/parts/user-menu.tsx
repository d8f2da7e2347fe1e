import { useState } from 'preact/hooks'
import { useStore } from '../store.ts'
import { registerUser, switchTo, users } from '../users.ts'

/** As whom requests are sent, and a button for somebody new. */
export function UserMenu({ path }: { path: string }) {
  const { known, current } = useStore(users)
  const [isBusy, setBusy] = useState(false)
  const [said, say] = useState('')

  async function register(): Promise<void> {
    setBusy(true)
    try {
      const { name } = await registerUser(path)
      say(`${name} is registered. Requests are sent as ${name} now.`)
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }

  return (
    <div class="users">
      <label>
        <span>Send as</span>
        <select
          value={current ?? ''}
          onChange={({ currentTarget }) =>
            switchTo(currentTarget.value === '' ? undefined : currentTarget.value)
          }
        >
          <option value="">nobody</option>
          {known.map(({ name, email }) => (
            <option key={email} value={email} title={email}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void register()}>
        New user
      </button>
      <span role="status" class={said.startsWith('Nobody') ? 'said failed' : 'unseen'}>
        {said}
      </span>
    </div>
  )
}
