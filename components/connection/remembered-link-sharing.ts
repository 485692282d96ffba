/** Where it is remembered whether the windows of this browser share one connection: for all of them alike. */
import { strings } from '@/lib/strings/connection.ts'
import type { LinkSharing } from '@/lib/transports/transport.ts'

export const linkSharingKey = 'diptych.sharing'

export const linkSharingNames: Readonly<Record<LinkSharing, string>> = strings.sharing

export const linkSharingChoices: readonly LinkSharing[] = ['automatic', 'always', 'never']

/** Storage can be forbidden, then nothing is remembered; and anybody may have written there. */
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
    // It holds until this window closes.
  }
}
