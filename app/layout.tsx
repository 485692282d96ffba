import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from './providers.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { pagesStrings } from '@/lib/strings/pages.ts'
import './globals.css'

export const metadata: Metadata = {
  title: { default: commonStrings.product, template: pagesStrings.tab.template },
  description: pagesStrings.description,
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fcfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#171512' },
  ],
}

/** Each response has its own nonce (server/content-policy.ts), so no page is prerendered. */
export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}
