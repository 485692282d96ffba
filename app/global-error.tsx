'use client'

import { BrokenPage } from '@/components/ui/broken-page'
import './globals.css'

export default function GlobalError({ error }: { error: unknown }) {
  return (
    <html lang="en">
      <body>
        <title>Something broke – Diptych</title>
        <BrokenPage error={error} onRetry={() => location.reload()}>
          Your documents are safe on the server. Reload the page to go on.
        </BrokenPage>
      </body>
    </html>
  )
}
