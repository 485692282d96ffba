'use client'

import { useEffect, useState, type ComponentType } from 'react'
import { onToasterNeeded, takeWaitingMessages } from './toast.ts'

/** Long enough to read two sentences. */
const PLAIN_MESSAGE_MS = 8_000

/** Loads the place where toasts appear, once there are any. What it cannot be loaded for is shown without it. */
export function ToasterLoader() {
  const [Toaster, setToaster] = useState<ComponentType>()
  const [plainMessage, setPlainMessage] = useState('')
  useEffect(() => {
    let isLoading = false
    const onFailed = () => {
      isLoading = false
      setPlainMessage(takeWaitingMessages().join(' '))
    }
    return onToasterNeeded(() => {
      if (isLoading) return
      isLoading = true
      import('./toaster.tsx').then((loaded) => setToaster(() => loaded.default), onFailed)
    })
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => setPlainMessage(''), PLAIN_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [plainMessage])
  return (
    <>
      {Toaster && <Toaster />}
      <output className="pointer-events-none fixed inset-x-3 bottom-18 z-50 mx-auto w-fit max-w-md rounded-lg bg-ink px-4 py-3 text-sm text-paper empty:sr-only">
        {plainMessage}
      </output>
    </>
  )
}
