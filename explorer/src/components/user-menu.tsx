import { useState } from 'preact/hooks'
import { useStore } from '../store.ts'
import { labelOf, registerUser, switchTo, users } from '../users.ts'

interface UserMenuProps {
  readonly path: string
  readonly roles: readonly string[]
}

/** The user that requests are sent as, and buttons that register a new one: without a role, or with one of these. */
export function UserMenu({ path, roles }: UserMenuProps) {
  const { known, current } = useStore(users)
  const [isBusy, setBusy] = useState(false)
  const [status, setStatus] = useState({ text: '', isError: false })

  async function register(role?: string): Promise<void> {
    setBusy(true)
    try {
      const label = labelOf(await registerUser(path, role))
      setStatus({ text: `Registered ${label}. Requests are now sent as ${label}.`, isError: false })
    } catch (error) {
      setStatus({ text: error instanceof Error ? error.message : String(error), isError: true })
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
          <option value="">no user</option>
          {known.map((user) => (
            <option key={user.email} value={user.email} title={user.email}>
              {labelOf(user)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void register()}>
        New user
      </button>
      {roles.map((role) => (
        <button
          key={role}
          type="button"
          title={`Registers a user with the role ${role}`}
          disabled={isBusy}
          onClick={() => void register(role)}
        >
          New {role}
        </button>
      ))}
      <span role="status" class={status.isError ? 'status-message' : 'visually-hidden'}>
        {status.text}
      </span>
    </div>
  )
}
