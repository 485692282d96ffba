'use client'

import { BrokenPage } from '@/components/ui/broken-page.tsx'
import { strings } from '@/lib/strings/pages.ts'

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <BrokenPage error={error} onRetry={retry}>
      {strings.broken.page}
    </BrokenPage>
  )
}
