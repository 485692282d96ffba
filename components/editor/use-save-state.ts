'use client'

import { useEffect, useRef, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { saveStateOf, type SaveState } from './save-state'
import { useLasting } from './timing'
import { useStatus } from './use-document'

/** Far above a slow commit on a slow network: past it the server's disk is the likely trouble (D3). */
const STALLED_MS = 10_000

/** "Saved" appears this much later than it is true, in ms, so that it does not flicker between two keys. Never earlier. */
const CALM_MS = 400

/** @param cutOff No link for longer than the grace. */
export function useSaveState(opened: OpenDocument, cutOff: boolean): SaveState {
  const status = useStatus(opened)
  const stalled = useLasting(status.unsaved > 0, STALLED_MS, useProgress(status.unsaved))
  return useCalm(saveStateOf(status, { cutOff, stalled }))
}

/** Grows whenever something was acknowledged. */
function useProgress(unsaved: number): number {
  const [progress, setProgress] = useState(0)
  const before = useRef(unsaved)
  useEffect(() => {
    if (unsaved < before.current) setProgress((count) => count + 1)
    before.current = unsaved
  }, [unsaved])
  return progress
}

function useCalm(state: SaveState): SaveState {
  const [sending, setSending] = useState<SaveState | null>(null)
  if (state.kind === 'sending' && !isSame(state, sending)) setSending(state)
  const { kind } = state
  useEffect(() => {
    if (kind === 'sending') return
    const timer = setTimeout(() => setSending(null), kind === 'saved' ? CALM_MS : 0)
    return () => clearTimeout(timer)
  }, [kind])
  return kind === 'saved' && sending ? sending : state
}

const isSame = (a: SaveState, b: SaveState | null): boolean =>
  a.kind === 'sending' && b?.kind === 'sending' && a.changes === b.changes
