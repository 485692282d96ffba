'use client'

import { useEffect, useState } from 'react'
import { LazyComponent } from './lazy-component.tsx'
import { listenForFirstToast } from './toast.ts'

const loadToaster = () => import('./toaster.tsx')

/** Loads the place where toasts appear, once there are any. */
export function ToasterLoader() {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => listenForFirstToast(() => setIsWanted(true)), [])
  return isWanted && <LazyComponent load={loadToaster} props={{}} />
}
