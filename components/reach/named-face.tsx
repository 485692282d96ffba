'use client'

import { useEffect, type ReactNode } from 'react'
import { Face } from '@/components/ui/face'
import { setWindowName } from '@/components/windows/window-title'
import { strings } from '@/lib/strings/devices.ts'

/** The page behind has not been asked for yet: until then the window is called after the question. */
export function Named({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => setWindowName(strings.pageTitle(title)), [title])
  return (
    <Face title={title} actions={actions} home={false}>
      {children}
    </Face>
  )
}
