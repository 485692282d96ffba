'use client'

import { useEffect, useState } from 'react'

/** In ms. By then the other window has answered, or never will. */
const ANSWER_MS = 1_500

/** Shows at once the value that was requested from another window, and what that window reports once it has had time to answer. */
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
