'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { choiceKey, rememberedChoice } from './choice'
import { rememberedSharing, sharingKey } from './sharing'

/** What another window of this browser chose for all of them holds here, too, at once. */
export function useBrowserChoices(
  opened: Pick<OpenDocument, 'status' | 'switchTransport' | 'setSharing'>,
): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === sharingKey) opened.setSharing(rememberedSharing())
      if (key !== choiceKey || rememberedChoice() === opened.status.get().choice) return
      // A failure is in the status, and the link in use goes on.
      opened.switchTransport(rememberedChoice()).catch(() => undefined)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [opened])
}
