/** Where it is remembered whether the windows of this browser share one connection: for all of them alike. */
import { strings } from '@/lib/strings/connection.ts'
import type { Sharing } from '@/lib/transports/transport.ts'

export const sharingKey = 'diptych.sharing'

export const sharingNames: Readonly<Record<Sharing, string>> = strings.sharing

export const sharings: readonly Sharing[] = ['automatic', 'always', 'never']

/** Storage can be forbidden, then nothing is remembered; and anybody may have written there. */
export function rememberedSharing(): Sharing {
  try {
    const value = window.localStorage.getItem(sharingKey)
    return sharings.find((sharing) => sharing === value) ?? 'automatic'
  } catch {
    return 'automatic'
  }
}

export function rememberSharing(sharing: Sharing): void {
  try {
    window.localStorage.setItem(sharingKey, sharing)
  } catch {
    // It holds until this window closes.
  }
}
