'use client'

import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { Button } from '@/components/ui/button.tsx'
import { LazyComponent, preloadWhenNear } from '@/components/ui/lazy-component.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

const loadDialog = () => import('./import-dialog.tsx')

const noFiles: readonly File[] = []

/** Opens the dialog that makes documents of files, also by files that are dropped on the page. */
export function ImportButton() {
  const button = useRef<HTMLButtonElement>(null)
  /** Null while the dialog is closed. */
  const [dropped, setDropped] = useState<readonly File[] | null>(null)
  const isOver = useFileDrop(setDropped)
  const open = () => setDropped((files) => files ?? noFiles)
  const close = () => setDropped(null)
  useCommands([
    {
      id: 'import',
      title: documentsStrings.import.button,
      section: 'Document',
      words: documentsStrings.import.words,
      run: open,
    },
  ])
  return (
    <>
      <Button ref={button} onClick={open} aria-haspopup="dialog" {...preloadWhenNear(loadDialog)}>
        <FileUp size={17} aria-hidden />
        {documentsStrings.import.button}
      </Button>
      {dropped && (
        <LazyComponent
          load={loadDialog}
          props={{ files: dropped, onClose: close, finalFocus: button }}
          onLoadFailed={close}
        />
      )}
      {isOver && (
        <div className="pointer-events-none fixed inset-3 z-60 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-paper/85">
          <p className="text-lg font-medium text-accent">{documentsStrings.import.drop}</p>
        </div>
      )}
    </>
  )
}
