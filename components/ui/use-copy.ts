'use client'

import { useState } from 'react'

type CopyOutcome = 'none' | 'copied' | 'selected'

/** @param select Selects the text for copying by keyboard, if the clipboard is blocked. */
export function useCopy(select: (text: string) => void) {
  const [outcome, setOutcome] = useState<CopyOutcome>('none')
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      select(text)
      setOutcome('selected')
    }
  }
  return { outcome, copy }
}
