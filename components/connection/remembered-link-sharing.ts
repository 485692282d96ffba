/** Stores whether the windows of this browser share one connection; all of them use the same setting. */
import { connectionStrings } from '@/lib/strings/connection.ts'
import type { LinkSharing } from '@/lib/transports/transport.ts'

export const linkSharingKey = 'diptych.sharing'

export const linkSharingNames: Readonly<Record<LinkSharing, string>> = connectionStrings.sharing

export const linkSharingChoices: readonly LinkSharing[] = ['automatic', 'always', 'never']

/** Storage may be blocked, then nothing is remembered. Its content is untrusted. */
export function rememberedLinkSharing(): LinkSharing {
  try {
    const value = window.localStorage.getItem(linkSharingKey)
    return linkSharingChoices.find((sharing) => sharing === value) ?? 'automatic'
  } catch {
    return 'automatic'
  }
}

export function rememberLinkSharing(sharing: LinkSharing): void {
  try {
    window.localStorage.setItem(linkSharingKey, sharing)
  } catch {
    // Without storage, the choice holds until this window closes.
  }
}
