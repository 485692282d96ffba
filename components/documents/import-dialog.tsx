'use client'

import { Dialog } from '@base-ui/react/dialog'
import { CircleAlert, CircleCheck, FileText, LoaderCircle, type LucideIcon } from 'lucide-react'
import Link from 'next/link'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { DocumentEntry } from '@/components/http-api.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import { importExtensions } from '@/lib/import/import-formats.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { importDialogStrings } from '@/lib/strings/import-dialog.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { type ImportRow, useImports } from './use-imports.ts'

interface ImportDialogProps {
  /** Those that were dropped on the page; a new list is added to the ones before it. */
  readonly files: readonly File[]
  readonly finalFocus: RefObject<HTMLElement | null>
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

export default function ImportDialog({ files, finalFocus, onClose }: ImportDialogProps) {
  const [open, setOpen] = useState(true)
  const choose = useRef<HTMLButtonElement>(null)
  const { rows, add, cancel } = useImports()
  const addDropped = useEffectEvent(add)
  useEffect(() => addDropped(files), [files])
  const isBusy = rows.some(({ state }) => !isOver(state))
  const onOpenChange = (isWanted: boolean, { reason }: { readonly reason: string }) => {
    if (isWanted || !isBusy) setOpen(isWanted)
    // The dialog stays open to say what was cancelled. A person may press a key or click beside it by mistake.
    else if (reason === 'close-press') cancel()
  }
  return (
    <Dialog.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={(isOpen) => !isOpen && onClose()}
    >
      <Modal
        title={importDialogStrings.title}
        description={importDialogStrings.description}
        initialFocus={choose}
        finalFocus={finalFocus}
      >
        {rows.length > 0 && <ImportList rows={rows} />}
        <output className="sr-only">
          {rows.length > 0 &&
            importDialogStrings.progress(rows.filter(({ state }) => isOver(state)).length, rows.length)}
        </output>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <ChooseButton ref={choose} isFirst={rows.length === 0} onFiles={add} />
          {isBusy ? (
            <Button onClick={cancel}>{commonStrings.cancel}</Button>
          ) : (
            rows.length > 0 && (
              <Dialog.Close className={buttonClass({ look: 'primary' })}>
                {importDialogStrings.done}
              </Dialog.Close>
            )
          )}
        </div>
      </Modal>
    </Dialog.Root>
  )
}

const isOver = (state: ImportRow['state']): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled' || state === 'stopped'

interface ChooseButtonProps {
  readonly ref: RefObject<HTMLButtonElement | null>
  readonly isFirst: boolean
  readonly onFiles: (files: readonly File[]) => void
}

function ChooseButton({ ref, isFirst, onFiles }: ChooseButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={importExtensions.join(',')}
        aria-label={importDialogStrings.choose}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = '' // the same file can be chosen again
        }}
      />
      <Button ref={ref} look={isFirst ? 'primary' : 'plain'} onClick={() => input.current?.click()}>
        {isFirst ? importDialogStrings.choose : importDialogStrings.chooseMore}
      </Button>
    </>
  )
}

const ImportList = ({ rows }: { rows: readonly ImportRow[] }) => (
  // The buttons below a long list stay in sight.
  <ul
    aria-label={importDialogStrings.files}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached
    tabIndex={0}
    className="mt-2 max-h-[45dvh] divide-y divide-line overflow-y-auto rounded-xl border border-line"
  >
    {rows.map((row) => (
      <li key={row.key} className="flex items-start gap-3 px-3.5 py-3">
        <StateIcon row={row} />
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere">{row.file.name}</p>
          <RowState row={row} />
        </div>
      </li>
    ))}
  </ul>
)

const icons: Readonly<Record<ImportRow['state'], readonly [LucideIcon, className: string]>> = {
  waiting: [FileText, 'text-muted'],
  sending: [LoaderCircle, 'text-accent motion-safe:animate-spin'],
  reading: [LoaderCircle, 'text-accent motion-safe:animate-spin'],
  done: [CircleCheck, 'text-accent'],
  failed: [CircleAlert, 'text-danger'],
  cancelled: [FileText, 'text-muted'],
  stopped: [FileText, 'text-muted'],
}

function StateIcon({ row: { state } }: { row: ImportRow }) {
  const [Icon, className] = icons[state]
  return <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${className}`} />
}

function RowState({ row }: { row: ImportRow }) {
  switch (row.state) {
    case 'sending':
      return <p className="text-sm text-muted tabular-nums">{importDialogStrings.sending(row.part)}</p>
    case 'failed':
      return <p className="text-sm wrap-anywhere text-danger">{row.message}</p>
    case 'done':
      return (
        <div className="text-sm">
          {[row.document, ...row.document.others].map((entry) => (
            <DocumentLink key={entry.id} entry={entry} />
          ))}
          {row.document.losses.map((sentence) => (
            <p key={sentence} className="mt-0.5 text-muted">
              {sentence}
            </p>
          ))}
        </div>
      )
    default:
      return <p className="text-sm text-muted">{importDialogStrings[row.state]}</p>
  }
}

const DocumentLink = ({ entry }: { entry: DocumentEntry }) => (
  <Link
    href={`/d/${entry.id}`}
    className="block w-fit wrap-anywhere text-accent underline underline-offset-2 hover:no-underline"
  >
    {importDialogStrings.open(shownTitle(entry.title))}
  </Link>
)
