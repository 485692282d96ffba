/** Who this is, as the server said last. */
import { api, ApiError, type Me } from '@/components/api'
import { rememberPrincipal } from '@/lib/sync/local/principal.ts'

const key = 'diptych.me'

export async function askWho(): Promise<Me> {
  try {
    const me = await api.me()
    rememberMe(me)
    return me
  } catch (error) {
    const known = error instanceof ApiError && error.status === 0 ? rememberedMe() : undefined
    if (known) return known
    throw error
  }
}

/** Storage can be forbidden, and anybody may have written there. */
export function rememberedMe(): Me | undefined {
  try {
    const { id, name } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Me>
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
  } catch {
    return undefined
  }
}

/** From here on this device shows nothing that another person left on it. */
export function rememberMe({ id, name }: Me): void {
  rememberPrincipal(id)
  try {
    localStorage.setItem(key, JSON.stringify({ id, name }))
  } catch {
    // Then offline they are a guest without a name.
  }
}
