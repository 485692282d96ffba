'use client'

import { useEffect, useState } from 'react'

/** By then the other window has answered, or it never will. In ms. */
const ANSWER_MS = 1_500

/** What another window is asked to be, shown at once, until it says itself what it is. */
export function useDraft<Value>(reported: Value, request: (value: Value) => void) {
  const [draft, setDraft] = useState<{ readonly value: Value } | null>(null)
  useEffect(() => {
    if (!draft) return
    const timer = setTimeout(() => setDraft(null), ANSWER_MS)
    return () => clearTimeout(timer)
  }, [draft])
  const change = (value: Value) => {
    setDraft({ value })
    request(value)
  }
  return [draft ? draft.value : reported, change] as const
}
