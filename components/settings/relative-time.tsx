'use client'

import { useEffect, useState } from 'react'
import { useSettings } from './use-settings.ts'
import { relativeTimeText } from '@/components/ui/relative-time-text.ts'

export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const { language } = useSettings()
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString(language || undefined)}>
      {relativeTimeText(date.getTime(), now)}
    </time>
  )
}
