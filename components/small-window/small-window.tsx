'use client'

import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useCommands } from '@/components/commands/use-commands'
import { toast } from '@/components/ui/toast'
import { Late } from '@/components/ui/late'
import { canKeepOnTop, openOnTop } from './picture-in-picture'
import type { ShownSmall } from './shown'
import { strings } from '@/lib/strings/small-window.ts'

const load = () => import('./small-face')

/** The command that opens it, and what it shows. */
export function SmallWindow(document: ShownSmall) {
  const [small, setSmall] = useState<Window | null>(null)
  useEffect(() => {
    if (!small) return
    const gone = () => setSmall(null)
    small.addEventListener('pagehide', gone)
    return () => {
      small.removeEventListener('pagehide', gone)
      small.close()
    }
  }, [small])
  const open = () => openOnTop().then(setSmall, () => toast.error(strings.notOpened))
  useCommands([
    {
      id: 'small-window',
      title: small ? strings.commands.close : strings.commands.open,
      section: 'Windows',
      words: strings.searchWords,
      when: canKeepOnTop,
      run: () => (small ? small.close() : void open()),
    },
  ])
  if (!small) return null
  const face = <Late load={load} props={{ small, ...document }} onMissing={() => small.close()} />
  return createPortal(face, small.document.body)
}
