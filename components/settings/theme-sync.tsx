'use client'

import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { listenToOtherWindows } from './settings-store'
import { useSettings } from './use-settings'

/** The theme that was chosen becomes the page's, in whichever window or on whichever device it was. Once a page. */
export function ThemeSync() {
  const { theme } = useSettings()
  const { setTheme } = useTheme()
  useEffect(listenToOtherWindows, [])
  useEffect(() => {
    if (theme !== null) setTheme(theme)
  }, [theme, setTheme])
  return null
}
