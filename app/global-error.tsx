'use client'

import { BrokenPage } from '@/components/ui/broken-page.tsx'
import { strings } from '@/lib/strings/pages.ts'
import './globals.css'

export default function GlobalError({ error }: { error: unknown }) {
  return (
    <html lang="en">
      <body>
        <title>{strings.tab.broken}</title>
        <BrokenPage error={error} onRetry={() => location.reload()}>
          {strings.broken.everything}
        </BrokenPage>
      </body>
    </html>
  )
}
