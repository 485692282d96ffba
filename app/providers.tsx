'use client'

import { ThemeProvider } from 'next-themes'
import { useState, type ReactNode } from 'react'
import { Commands } from '@/components/commands/commands.tsx'
import { FolderDialogHost } from '@/components/documents/folder-dialog-host.tsx'
import { LabCommand } from '@/components/lab/lab-command.tsx'
import { OfflineSupport } from '@/components/offline/offline-support.tsx'
import { SendDialogHost } from '@/components/device-handoff/send-dialog-host.tsx'
import { ProfileSync } from '@/components/profile/profile-sync.tsx'
import { TicketGate } from '@/components/device-handoff/ticket-gate.tsx'
import { SearchDialogHost } from '@/components/search/search-dialog-host.tsx'
import { SettingsDialogHost } from '@/components/settings-page/settings-dialog-host.tsx'
import { ThemeSync } from '@/components/settings/theme-sync.tsx'
import { HintLayer } from '@/components/ui/hint-layer.tsx'
import { ToasterLoader } from '@/components/ui/toaster-loader.tsx'

interface ProvidersProps {
  /** The nonce of this page's scripts and styles. */
  readonly nonce: string | undefined
  readonly children: ReactNode
}

export function Providers({ nonce, children }: ProvidersProps) {
  // Parts of a page that are fetched later have no nonce; the policy stays the one of the first response.
  const [firstNonce] = useState(nonce)
  return (
    <ThemeProvider
      attribute="data-theme"
      disableTransitionOnChange
      {...(firstNonce && { nonce: firstNonce })}
    >
      <ThemeSync />
      <ProfileSync />
      <TicketGate>{children}</TicketGate>
      <OfflineSupport />
      <HintLayer />
      <ToasterLoader />
      <Commands />
      <SearchDialogHost />
      <FolderDialogHost />
      <SendDialogHost />
      <SettingsDialogHost />
      <LabCommand />
    </ThemeProvider>
  )
}
