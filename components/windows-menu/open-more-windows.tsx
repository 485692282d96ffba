'use client'

import type { ReactNode } from 'react'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { windowIcons } from './window-icons.ts'
import { openNewWindow, showOwnWindow } from '@/components/windows/open-windows.ts'
import { useOwnWindowEntries } from '@/components/windows/use-own-window-entries.ts'
import { windowKindName } from '@/components/windows/window-text.ts'
import { Sentence } from '@/components/ui/sentence.tsx'
import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

const offeredKinds: readonly ('text' | PanelId)[] = ['text', ...panelIds]

const visuallyHidden = (text: string): ReactNode => <span className="sr-only">{text}</span>

/** Opens panels of this document, each in a window of its own; a panel that is already open in this browser is shown. */
export function OpenMoreWindows({ document }: { document: string }) {
  const entries = useOwnWindowEntries()
  return (
    <section aria-labelledby="open-more">
      <h3 id="open-more" className="text-sm font-semibold">
        {windowsDialogStrings.openMore.title}
      </h3>
      <ul aria-labelledby="open-more" className="mt-1.5 flex flex-wrap gap-1.5">
        {offeredKinds.map((kind) => {
          const Icon = windowIcons[kind]
          const openEntry = entries.find(
            (entry) => entry.sameBrowser && !entry.self && entry.kind === kind && entry.document === document,
          )
          const open = () =>
            void (openEntry && kind !== 'text' ? showOwnWindow(openEntry) : openNewWindow({ document, kind }))
          return (
            <li key={kind}>
              <button type="button" onClick={open} className={buttonClass({ shape: 'small' })}>
                <Icon size={14} aria-hidden className={openEntry ? 'text-accent' : 'text-muted'} />
                {openEntry ? (
                  <Sentence
                    parts={windowsDialogStrings.openMore.isOpen(windowKindName(kind), visuallyHidden)}
                  />
                ) : (
                  windowKindName(kind)
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
