/** The person of this browser, as the server last said. */
import { api, ApiRequestError, type NamedPerson, type Profile } from '@/components/http-api.ts'
import { isColourName } from '@/lib/protocol/palette.ts'
import { rememberPrincipal } from '@/lib/sync/local/remembered-principal.ts'

/** The key in `localStorage`, whose events reach the browser's other windows. */
export const PROFILE_KEY = 'diptych.me'

export async function fetchProfile(): Promise<Profile> {
  try {
    const profile = await api.getProfile()
    rememberProfile(profile)
    return profile
  } catch (error) {
    const remembered =
      error instanceof ApiRequestError && error.status === 0 ? rememberedProfile() : undefined
    if (remembered) return remembered
    throw error
  }
}

/** Storage may be blocked, and its content is untrusted. */
export function rememberedProfile(): Profile | undefined {
  try {
    const { id, name, colour, asked } = JSON.parse(
      localStorage.getItem(PROFILE_KEY) ?? '{}',
    ) as Partial<Profile>
    if (typeof id !== 'string' || typeof name !== 'string') return undefined
    return { id, name, colour: isColourName(colour) ? colour : null, asked: asked !== false }
  } catch {
    return undefined
  }
}

/** From this call on, this device shows nothing that another person left on it. */
export function rememberProfile(profile: NamedPerson | Profile): void {
  rememberPrincipal(profile.id)
  try {
    localStorage.setItem(PROFILE_KEY, JSON.stringify(profile))
  } catch {
    // Without storage they are a guest without a name while offline.
  }
}
