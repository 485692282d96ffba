'use client'

import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider } from 'next-themes'
import { useState, type CSSProperties, type ReactNode } from 'react'
import { Toaster } from 'sonner'
import { Commands } from '@/components/commands/commands'
import { Offline } from '@/components/offline/offline'

/** Below header and toolbar, and out of the way of the banner at the bottom. In px. */
const TOAST_TOP = 104

/** What the browser believes of its network is often wrong, and the server may be this very computer. */
const networkMode = 'always'

const queries = { retry: 1, staleTime: 10_000, networkMode } as const

/** Sonner's own names for its colours. They follow the theme by themselves, as all colours here do. */
const toastColours = {
  '--normal-bg': 'var(--ink)',
  '--normal-border': 'var(--ink)',
  '--normal-text': 'var(--paper)',
} as CSSProperties

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries, mutations: { networkMode } } }),
  )
  return (
    <ThemeProvider attribute="data-theme" disableTransitionOnChange>
      <QueryClientProvider client={client}>
        <Tooltip.Provider delay={350}>{children}</Tooltip.Provider>
        <Offline />
        <Commands />
        <Toaster position="top-center" offset={TOAST_TOP} mobileOffset={TOAST_TOP} style={toastColours} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
