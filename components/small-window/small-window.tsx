'use client'

import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useCommands } from '@/components/commands/use-commands.ts'
import { toast } from '@/components/ui/toast.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { canOpenSmallWindow, openSmallWindow } from './picture-in-picture.ts'
import type { SmallWindowProps } from './small-window-props.ts'
import { smallWindowStrings } from '@/lib/strings/small-window.ts'

const loadView = () => import('./small-window-view.tsx')

/** The command that opens the small window, and its content. */
export function SmallWindow(document: SmallWindowProps) {
  const [smallWindow, setSmallWindow] = useState<Window | null>(null)
  useEffect(() => {
    if (!smallWindow) return
    const onPageHide = () => setSmallWindow(null)
    smallWindow.addEventListener('pagehide', onPageHide)
    return () => {
      smallWindow.removeEventListener('pagehide', onPageHide)
      smallWindow.close()
    }
  }, [smallWindow])
  const open = () => openSmallWindow().then(setSmallWindow, () => toast.error(smallWindowStrings.notOpened))
  useCommands([
    {
      id: 'small-window',
      title: smallWindow ? smallWindowStrings.commands.close : smallWindowStrings.commands.open,
      section: 'Windows',
      words: smallWindowStrings.searchWords,
      when: canOpenSmallWindow,
      run: () => (smallWindow ? smallWindow.close() : void open()),
    },
  ])
  if (!smallWindow) return null
  const view = (
    <LazyComponent
      load={loadView}
      props={{ smallWindow, ...document }}
      onLoadFailed={() => smallWindow.close()}
    />
  )
  return createPortal(view, smallWindow.document.body)
}
