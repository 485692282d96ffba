'use client'

import { useEffect } from 'react'
import { api } from '@/components/http-api.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'

/** Has the list of recent documents know that this person opened the text. It says nothing where that fails: only that list misses it. */
export function useNotedOpening(document: string, kind: WindowKind, isSynced: boolean): void {
  useEffect(() => {
    if (kind === 'text' && isSynced) api.placeDocument(document, { opened: true }).catch(() => undefined)
  }, [document, kind, isSynced])
}
