'use client'

import { BrokenPage } from '@/components/ui/broken-page.tsx'
import { strings } from '@/lib/strings/pages.ts'

export default function PanelError({ error }: { error: unknown }) {
  return (
    <BrokenPage error={error} onRetry={() => location.reload()}>
      {strings.broken.panel}
    </BrokenPage>
  )
}
