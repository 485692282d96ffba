'use client'

import { BrokenPage } from '@/components/ui/broken-page'

export default function PanelError({ error }: { error: unknown }) {
  return (
    <BrokenPage error={error} onRetry={() => location.reload()}>
      The panel stopped, not the document: what was saved is on the server.
    </BrokenPage>
  )
}
