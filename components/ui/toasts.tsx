'use client'

import { useEffect, useState } from 'react'
import { Late } from './late'
import { whenWanted } from './toast'

const load = () => import('./toaster')

/** Where toasts appear, once there are any. */
export function Toasts() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => whenWanted(() => setWanted(true)), [])
  return isWanted && <Late load={load} props={{}} />
}
