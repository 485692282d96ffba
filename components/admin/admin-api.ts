/** What /admin asks the server. Knows paths and answers; does not know React. */
import { errorMessageOf } from '@/components/error-message.ts'
import type { AdminFigures } from '@/lib/protocol/admin.ts'

/** Null: sign in first. */
export async function fetchFigures(signal: AbortSignal): Promise<AdminFigures | null> {
  const response = await fetch('/api/admin/figures', { signal })
  if (response.status === 401) return null
  if (!response.ok) throw new Error(await errorMessageOf(response, response.statusText))
  return (await response.json()) as AdminFigures
}

/** The token goes in the body, where no log and no history keeps it. @throws {Error} whose message says why it was refused. */
export async function signIn(token: string): Promise<void> {
  const response = await fetch('/api/admin/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (!response.ok) throw new Error(await errorMessageOf(response, response.statusText))
}

export async function signOut(): Promise<void> {
  await fetch('/api/admin/session', { method: 'DELETE' })
}
