'use client'

import { useEffect, useState } from 'react'
import { Chunk } from './lazy-component.tsx'
import { onToasterNeeded, takeWaitingMessages } from './toast.ts'

const loadToaster = () => import('./toaster.tsx')

/** Long enough to read two sentences. */
const PLAIN_MESSAGE_MS = 8_000

/** Loads the place where toasts appear, once there are any. What it cannot be loaded for is shown without it. */
export function ToasterLoader() {
  const [neededTimes, setNeededTimes] = useState(0)
  const [plainMessage, setPlainMessage] = useState('')
  useEffect(() => onToasterNeeded(() => setNeededTimes((times) => times + 1)), [])
  useEffect(() => {
    const timer = setTimeout(() => setPlainMessage(''), PLAIN_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [plainMessage])
  return (
    <>
      {neededTimes > 0 && (
        <Chunk
          key={neededTimes}
          load={loadToaster}
          props={{}}
          onFailed={() => setPlainMessage(takeWaitingMessages().join(' '))}
        />
      )}
      <output className="pointer-events-none fixed inset-x-3 bottom-18 z-50 mx-auto w-fit max-w-md rounded-lg bg-ink px-4 py-3 text-sm text-paper empty:sr-only">
        {plainMessage}
      </output>
    </>
  )
}
