'use client'

import { useEffect, type ReactNode } from 'react'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { setWindowName } from '@/components/windows/window-title.ts'
import { devicesStrings } from '@/lib/strings/devices.ts'

/** The requested page has not loaded yet, so the window is named after the question. */
export function TitledMessagePage({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => setWindowName(devicesStrings.pageTitle(title)), [title])
  return (
    <MessagePage title={title} actions={actions} hasHomeLink={false}>
      {children}
    </MessagePage>
  )
}
