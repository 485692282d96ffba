import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { Providers } from '@/components/ui/providers'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Diptych', template: '%s – Diptych' },
  description: 'One document, many windows, any network, nothing lost.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fcfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#171512' },
  ],
}

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
