'use client'

import { BrokenPage } from '@/components/ui/broken-page'

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <BrokenPage error={error} onRetry={retry}>
      Your documents are safe on the server. Try again, or go back to them.
    </BrokenPage>
  )
}
