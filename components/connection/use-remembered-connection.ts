'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { transportKey, rememberedTransport } from './remembered-transport'
import { rememberedLinkSharing, linkSharingKey } from './remembered-link-sharing'

/** What another window of this browser chose for all of them holds here, too, at once. */
export function useRememberedConnection(
  opened: Pick<OpenDocument, 'status' | 'switchTransport' | 'setSharing'>,
): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === linkSharingKey) opened.setSharing(rememberedLinkSharing())
      if (key !== transportKey || rememberedTransport() === opened.status.get().choice) return
      // A failure is in the status, and the link in use goes on.
      opened.switchTransport(rememberedTransport()).catch(() => undefined)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [opened])
}
