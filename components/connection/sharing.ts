/** Where it is remembered whether the windows of this browser share one connection: for all of them alike. */
import { strings } from '@/lib/strings/connection.ts'
import type { LinkSharing } from '@/lib/transports/transport.ts'

export const sharingKey = 'diptych.sharing'

export const sharingNames: Readonly<Record<LinkSharing, string>> = strings.sharing

export const sharings: readonly LinkSharing[] = ['automatic', 'always', 'never']

/** Storage can be forbidden, then nothing is remembered; and anybody may have written there. */
export function rememberedSharing(): LinkSharing {
  try {
    const value = window.localStorage.getItem(sharingKey)
    return sharings.find((sharing) => sharing === value) ?? 'automatic'
  } catch {
    return 'automatic'
  }
}

export function rememberSharing(sharing: LinkSharing): void {
  try {
    window.localStorage.setItem(sharingKey, sharing)
  } catch {
    // It holds until this window closes.
  }
}
