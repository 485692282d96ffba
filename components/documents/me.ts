/** Who this is, as the server said last. */
import { api, ApiError, type Me, type Profile } from '@/components/api'
import { isColourName } from '@/lib/protocol/palette.ts'
import { rememberPrincipal } from '@/lib/sync/local/remembered-principal.ts'

/** In `localStorage`, which tells the browser's other windows. */
export const ME_KEY = 'diptych.me'

export async function askWho(): Promise<Profile> {
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
export function rememberedMe(): Profile | undefined {
  try {
    const { id, name, colour, asked } = JSON.parse(localStorage.getItem(ME_KEY) ?? '{}') as Partial<Profile>
    if (typeof id !== 'string' || typeof name !== 'string') return undefined
    return { id, name, colour: isColourName(colour) ? colour : null, asked: asked !== false }
  } catch {
    return undefined
  }
}

/** From here on this device shows nothing that another person left on it. */
export function rememberMe(me: Me | Profile): void {
  rememberPrincipal(me.id)
  try {
    localStorage.setItem(ME_KEY, JSON.stringify(me))
  } catch {
    // Then offline they are a guest without a name.
  }
}
