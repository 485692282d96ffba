'use client'

import { PictureInPicture2 } from 'lucide-react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { Button } from '@/components/ui/button.tsx'
import { canOpenSmallWindow } from './picture-in-picture.ts'
import { smallWindowViewStrings } from '@/lib/strings/small-window-view.ts'

/** Renders nothing if the browser has no such window. */
export function SmallWindowOffer({ onDone }: { onDone: () => void }) {
  if (!canOpenSmallWindow()) return null
  const onClick = () => {
    pageCommands.run('small-window')
    onDone()
  }
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button shape="small" onClick={onClick}>
        <PictureInPicture2 size={14} aria-hidden /> {smallWindowViewStrings.offer.button}
      </Button>
      <p className="text-sm text-muted">{smallWindowViewStrings.offer.hint}</p>
    </div>
  )
}
