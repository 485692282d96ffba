'use client'

import { PictureInPicture2 } from 'lucide-react'
import { pageCommands } from '@/components/commands/registry'
import { Button } from '@/components/ui/button'
import { canKeepOnTop } from './picture-in-picture'
import { strings } from '@/lib/strings/small-window.ts'

/** Nothing where the browser has no such window. */
export function KeepOnTop({ onDone }: { onDone: () => void }) {
  if (!canKeepOnTop()) return null
  const keep = () => {
    pageCommands.run('small-window')
    onDone()
  }
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button shape="small" onClick={keep}>
        <PictureInPicture2 size={14} aria-hidden /> {strings.offer.button}
      </Button>
      <p className="text-sm text-muted">{strings.offer.hint}</p>
    </div>
  )
}
