'use client'

import { BrokenPage } from '@/components/ui/broken-page.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'
import './globals.css'

export default function GlobalError({ error }: { error: unknown }) {
  return (
    <html lang="en">
      <body>
        <title>{pagesStrings.tab.broken}</title>
        <BrokenPage error={error}>{pagesStrings.broken.everything}</BrokenPage>
      </body>
    </html>
  )
}
