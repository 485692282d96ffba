'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider } from 'next-themes'
import { useState, type ReactNode } from 'react'
import { Commands } from '@/components/commands/commands'
import { LabCommand } from '@/components/lab/lab-command'
import { OfflineSupport } from '@/components/offline/offline-support'
import { SendDialogHost } from '@/components/device-handoff/send-dialog-host'
import { ProfileSync } from '@/components/profile/profile-sync'
import { TicketGate } from '@/components/device-handoff/ticket-gate'
import { SettingsDialogHost } from '@/components/settings/settings-dialog-host'
import { ThemeSync } from '@/components/settings/theme-sync'
import { HintLayer } from './hint-layer'
import { ToasterLoader } from './toaster-loader'

/** What the browser believes of its network is often wrong, and the server may be this very computer. */
const networkMode = 'always'

const queryOptions = { retry: 1, staleTime: 10_000, networkMode } as const

interface ProvidersProps {
  /** The nonce that this page's scripts and styles carry. */
  readonly nonce: string | undefined
  readonly children: ReactNode
}

export function Providers({ nonce, children }: ProvidersProps) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: queryOptions, mutations: { networkMode } } }),
  )
  // What is fetched of a page later has no nonce, and the policy stays the one that the page came with.
  const [firstNonce] = useState(nonce)
  return (
    <ThemeProvider
      attribute="data-theme"
      disableTransitionOnChange
      {...(firstNonce && { nonce: firstNonce })}
    >
      <QueryClientProvider client={client}>
        <ThemeSync />
        <ProfileSync />
        <TicketGate>{children}</TicketGate>
        <OfflineSupport />
        <HintLayer />
        <ToasterLoader />
        <Commands />
        <SendDialogHost />
        <SettingsDialogHost />
        <LabCommand />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
