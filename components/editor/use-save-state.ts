'use client'

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { alsoShown } from './also-shown'
import { saveStateOf, worstOf, type SaveState } from './save-state'
import { useLasting } from './timing'
import { useStatus } from './use-document'

/** Far above a slow commit on a slow network: past it the server's disk is the likely trouble (D3). */
const STALLED_MS = 10_000

/** "Saved", here or there, appears this much later than it is true, in ms, so that it does not flicker between two keys. Never earlier. */
const CALM_MS = 400

/** @param cutOff No link for longer than the grace. */
export function useSaveState(opened: OpenDocument, cutOff: boolean): SaveState {
  const status = useStatus(opened)
  const stalled = useLasting(status.unsaved > 0, STALLED_MS, useProgress(status.unsaved))
  const others = useSyncExternalStore(alsoShown.subscribe, alsoShown.get, alsoShown.get)
  const own = saveStateOf(status, { cutOff, stalled })
  return useCalm(worstOf([own, ...others.map((other) => saveStateOf(other, { cutOff, stalled: false }))]))
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

/** What is better than it was is shown once it has lasted; what is worse at once. */
function useCalm(state: SaveState): SaveState {
  const [worse, setWorse] = useState<SaveState | null>(null)
  const { kind } = state
  const isWaiting = kind === 'sending' || kind === 'not-saved'
  if (isWaiting && !isSame(state, worse)) setWorse(state)
  useEffect(() => {
    if (isWaiting) return
    const timer = setTimeout(() => setWorse(null), kind === 'loading' ? 0 : CALM_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, kind])
  return !isWaiting && kind !== 'loading' && worse ? worse : state
}

const isSame = (a: SaveState, b: SaveState | null): boolean => {
  if (a.kind === 'sending') return b?.kind === 'sending' && a.changes === b.changes
  return a.kind === 'not-saved' && b?.kind === 'not-saved' && a.why === b.why
}
