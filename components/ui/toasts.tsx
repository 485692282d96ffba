'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { whenWanted } from './toast'

const Toaster = lazy(() => import('./toaster'))

/** Where toasts appear, once there are any. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => whenWanted(() => setWanted(true)), [])
  return (
    isWanted && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  )
}
