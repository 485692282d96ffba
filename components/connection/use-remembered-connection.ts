'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { transportKey, rememberedTransport } from './remembered-transport.ts'
import { rememberedLinkSharing, linkSharingKey } from './remembered-link-sharing.ts'

/** Applies at once what another window of this browser chose for all of them. */
export function useRememberedConnection(
  opened: Pick<OpenDocument, 'status' | 'switchTransport' | 'setSharing'>,
): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === linkSharingKey) opened.setSharing(rememberedLinkSharing())
      if (key !== transportKey || rememberedTransport() === opened.status.get().choice) return
      // The status shows a failure, and the link in use continues.
      opened.switchTransport(rememberedTransport()).catch(() => undefined)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [opened])
}
