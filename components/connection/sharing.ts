/** Where it is remembered whether the windows of this browser share one connection: for all of them alike. */
import type { Sharing } from '@/lib/transports/transport.ts'

const key = 'diptych.sharing'

export const sharings: readonly Sharing[] = ['automatic', 'always', 'never']

/** Storage can be forbidden, then nothing is remembered; and anybody may have written there. */
export function rememberedSharing(): Sharing {
  try {
    const value = window.localStorage.getItem(key)
    return sharings.find((sharing) => sharing === value) ?? 'automatic'
  } catch {
    return 'automatic'
  }
}

export function rememberSharing(sharing: Sharing): void {
  try {
    window.localStorage.setItem(key, sharing)
  } catch {
    // It holds until this window closes.
  }
}
