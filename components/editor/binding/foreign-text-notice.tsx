'use client'

import { Blocks } from 'lucide-react'
import type { OpenDocument } from '@/lib/client.ts'
import { useDock } from '@/components/dock/dock.ts'
import { Button } from '@/components/ui/button.tsx'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import { strings } from '@/lib/strings/foreign-text.ts'

export interface ForeignTextNoticeProps {
  readonly opened: OpenDocument
  readonly mayWrite: boolean
}

/** Says why a text with parts that this page does not know can only be read, and what helps. */
export default function ForeignTextNotice({ opened, mayWrite }: ForeignTextNoticeProps) {
  const dock = useDock()
  return (
    <output
      data-screen-only
      className="mt-4 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunk px-4 py-3 text-sm"
    >
      <Blocks size={18} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-48 flex-1">
        <strong className="font-medium">{strings.title}</strong> {strings.hint} {mayWrite && strings.choices}
      </span>
      {mayWrite && dock && (
        <Button shape="small" onClick={() => dock.showPanel('history')}>
          {strings.history}
        </Button>
      )}
      {mayWrite && (
        <Button shape="small" onClick={() => void keepText(opened)}>
          {strings.keep}
        </Button>
      )}
    </output>
  )
}

const keepText = (opened: OpenDocument): Promise<void> =>
  import('./keep-shown-text.ts').then(({ keepShownText }) => keepShownText(opened), toastNotLoaded)
