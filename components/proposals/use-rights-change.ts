'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { refetchProposals } from './proposal-queries.ts'

/** Reads what the server says of proposals again when it tells this window that rights or proposals have changed. */
export function useRightsChange(document: string, opened: OpenDocument): void {
  useEffect(() => opened.onRights(() => void refetchProposals(document)), [document, opened])
}
