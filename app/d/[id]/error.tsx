'use client'

import { BrokenPage } from '@/components/ui/broken-page'

export default function DocumentError({ error }: { error: unknown }) {
  return (
    <BrokenPage error={error} onRetry={() => location.reload()}>
      The page stopped, not the document: what was saved is on the server.
    </BrokenPage>
  )
}
