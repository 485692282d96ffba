'use client'

import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { listenToOtherWindows } from './settings-store.ts'
import { useSettings } from './use-settings.ts'

/** Applies the chosen theme to the page, whichever window or device it was chosen in. A page renders it once. */
export function ThemeSync() {
  const { theme } = useSettings()
  const { setTheme } = useTheme()
  useEffect(listenToOtherWindows, [])
  useEffect(() => {
    if (theme !== null) setTheme(theme)
  }, [theme, setTheme])
  return null
}
