'use client'

import type { ReactNode } from 'react'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import { buttonClass } from '@/components/ui/button'
import { windowIcons } from './icons'
import { openOwn, showOwn } from './open'
import { useRegister } from './use-register'
import { kindName } from './words'
import { Sentence } from '@/components/ui/sentence'
import { strings } from '@/lib/strings/windows-dialog.ts'

const offered: readonly ('text' | PanelId)[] = ['text', ...panelIds]

const hidden = (text: string): ReactNode => <span className="sr-only">{text}</span>

/** Panels of this document, each in a window of its own; one that is open here already is shown. */
export function OpenMore({ document }: { document: string }) {
  const entries = useRegister()
  return (
    <section aria-labelledby="open-more">
      <h3 id="open-more" className="text-sm font-semibold">
        {strings.openMore.title}
      </h3>
      <ul aria-labelledby="open-more" className="mt-1.5 flex flex-wrap gap-1.5">
        {offered.map((kind) => {
          const Icon = windowIcons[kind]
          const there = entries.find(
            (entry) => entry.here && !entry.self && entry.kind === kind && entry.document === document,
          )
          const open = () => void (there && kind !== 'text' ? showOwn(there) : openOwn({ document, kind }))
          return (
            <li key={kind}>
              <button type="button" onClick={open} className={buttonClass({ shape: 'small' })}>
                <Icon size={14} aria-hidden className={there ? 'text-accent' : 'text-muted'} />
                {there ? (
                  <Sentence parts={strings.openMore.isOpen(kindName(kind), hidden)} />
                ) : (
                  kindName(kind)
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
