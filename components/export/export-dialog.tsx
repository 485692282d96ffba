'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useRef, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import { toast } from '@/components/ui/toast.ts'
import { exportFormats, type ExportFormat, isPageFormat } from '@/lib/export/export-formats.ts'
import { sizeText } from '@/lib/strings/storage.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { exportStrings } from '@/lib/strings/export.ts'
import { saveFile } from '@/components/save-file.ts'
import { type DownloadOptions, type ExportedFileData, fetchExport } from './download-export.ts'
import { FormatChoices, type ExportChoice } from './format-choices.tsx'
import { LossList } from './loss-list.tsx'
import { useExportedFeatures } from './use-exported-features.ts'

const strings = exportStrings.dialog

export interface ExportDialogProps {
  readonly document: string
  readonly title: string
  /** Null where it is not open in this page: then the server writes it in each format. */
  readonly opened: OpenDocument | null
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

export default function ExportDialog({ document, title, opened, onClose }: ExportDialogProps) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={strings.title} description={<bdi>{shownTitle(title)}</bdi>}>
        <ExportForm document={document} opened={opened} onDone={() => setOpen(false)} />
      </Modal>
    </Dialog.Root>
  )
}

interface ExportFormProps extends Pick<ExportDialogProps, 'document' | 'opened'> {
  readonly onDone: () => void
}

function ExportForm({ document, opened, onDone }: ExportFormProps) {
  const [choice, setChoice] = useState<ExportChoice>('markdown')
  const [hasComments, setHasComments] = useState(true)
  const features = useExportedFeatures(document, opened)
  const { received, error, run } = useExport(document, opened)
  const isBusy = received !== null
  const hasChoiceOfComments = withComments.includes(choice) && features.found?.has('comments') === true
  const onExport = async () => {
    const file = await run(choice, hasComments)
    if (file === null) return
    if (choice !== 'print') toast(strings.done(file.name))
    if (file.missingPictures > 0) toast.error(strings.missingPictures(file.missingPictures))
    onDone()
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void onExport()
      }}
    >
      <FormatChoices
        choices={opened ? [...exportFormats, 'print'] : exportFormats}
        value={choice}
        onChange={setChoice}
        isDisabled={isBusy}
      />
      {hasChoiceOfComments && (
        <label className="flex min-h-8 items-center gap-2.5">
          <input
            type="checkbox"
            checked={hasComments}
            onChange={({ target }) => setHasComments(target.checked)}
            className="size-4 accent-accent"
          />
          {strings.comments}
        </label>
      )}
      <LossList format={choice} features={features} />
      {error !== null && (
        <p role="alert" className="text-sm text-danger">
          {strings.failed(error)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <output className="mr-auto text-sm text-muted">{isBusy && progressText(received)}</output>
        <Dialog.Close className={buttonClass()}>{commonStrings.cancel}</Dialog.Close>
        <Button type="submit" look="primary" disabled={isBusy} aria-busy={isBusy}>
          {choice === 'print' ? strings.print : strings.confirm}
        </Button>
      </div>
    </form>
  )
}

/** The others always have them, or never. */
const withComments: readonly ExportChoice[] = ['html', 'docx', 'print']

const progressText = (bytes: number): string =>
  bytes === 0 ? strings.preparing : strings.received(sizeText(bytes))

/** One export at a time. It ends with the dialog. */
function useExport(document: string, opened: OpenDocument | null) {
  const language = useSettings().language || navigator.language
  const [received, setReceived] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  /** Resolves to null if it failed. */
  const run = async (choice: ExportChoice, hasComments: boolean): Promise<ExportedFileData | null> => {
    const { signal } = (running.current = new AbortController())
    setReceived(0)
    setError(null)
    try {
      const format = choice === 'print' ? 'html' : choice
      const wanted = { document, format, hasComments: hasComments || format === 'json', language }
      const file = await exportDocument(wanted, opened, { signal, onProgress: setReceived })
      if (signal.aborted) return null
      if (choice !== 'print') saveFile(file.name, file.bytes)
      else await import('./print-page.ts').then(async ({ printPage }) => printPage(await file.bytes.text()))
      return file
    } catch (failure) {
      if (!signal.aborted) setError((failure as Error).message)
      return null
    } finally {
      if (!signal.aborted) setReceived(null)
    }
  }
  return { received, error, run }
}

interface WantedExport {
  readonly document: string
  readonly format: ExportFormat
  readonly hasComments: boolean
  readonly language: string
}

/** The page writes each format that it can, so that the file holds the document as it stands here. */
async function exportDocument(
  wanted: WantedExport,
  opened: OpenDocument | null,
  options: DownloadOptions,
): Promise<ExportedFileData> {
  const { format } = wanted
  if (!opened || !isPageFormat(format)) return fetchSaved(wanted, opened, options)
  const { writeOpenDocument } = await import('./write-here.ts')
  return writeOpenDocument({ ...wanted, opened, format })
}

/** Without a link nothing more is saved, and the request says why it fails. */
const whenLinkDown = ({ status }: OpenDocument, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (status.get().link.state !== 'up') end()
    }
    const unsubscribe = status.subscribe(check)
    const end = () => {
      unsubscribe()
      resolve()
    }
    signal.addEventListener('abort', end)
    check()
  })

/** The server writes what it has saved, so what was typed a moment ago is awaited. */
async function fetchSaved(
  { document, format, hasComments, language }: WantedExport,
  opened: OpenDocument | null,
  options: DownloadOptions,
) {
  if (opened && navigator.onLine)
    await Promise.race([opened.whenSaved(), whenLinkDown(opened, options.signal)])
  const query = new URLSearchParams({ format, comments: String(hasComments), language })
  return fetchExport(`/api/documents/${document}/export?${query}`, options)
}
