'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider } from 'next-themes'
import { useState, type ReactNode } from 'react'
import { Commands } from '@/components/commands/commands'
import { LabCommand } from '@/components/lab/lab-command'
import { Offline } from '@/components/offline/offline'
import { SendTo } from '@/components/reach/send-to'
import { ProfileInStep } from '@/components/profile/profile-in-step'
import { TicketGate } from '@/components/reach/ticket-gate'
import { SettingsCommand } from '@/components/settings/settings-command'
import { ThemeSetting } from '@/components/settings/theme-setting'
import { HintLayer } from './hint-layer'
import { Toasts } from './toasts'

/** What the browser believes of its network is often wrong, and the server may be this very computer. */
const networkMode = 'always'

const queries = { retry: 1, staleTime: 10_000, networkMode } as const

interface ProvidersProps {
  /** The nonce that this page's scripts and styles carry. */
  readonly nonce: string | undefined
  readonly children: ReactNode
}

export function Providers({ nonce, children }: ProvidersProps) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries, mutations: { networkMode } } }),
  )
  // What is fetched of a page later has no nonce, and the policy stays the one that the page came with.
  const [first] = useState(nonce)
  return (
    <ThemeProvider attribute="data-theme" disableTransitionOnChange {...(first && { nonce: first })}>
      <QueryClientProvider client={client}>
        <ThemeSetting />
        <ProfileInStep />
        <TicketGate>{children}</TicketGate>
        <Offline />
        <HintLayer />
        <Toasts />
        <Commands />
        <SendTo />
        <SettingsCommand />
        <LabCommand />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
