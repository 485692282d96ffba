'use client'

import { Dialog } from '@base-ui/react/dialog'
import { FileText, LayoutTemplate, type LucideIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { api, ApiRequestError, type DocumentEntry, type ListedEntry } from '@/components/http-api.ts'
import { Modal } from '@/components/ui/modal.tsx'
import { toast } from '@/components/ui/toast.ts'
import { type BuiltInTemplateName, builtInTemplateNames } from '@/lib/protocol/built-in-templates.ts'
import { templatesStrings } from '@/lib/strings/templates.ts'
import { fetchListAgain, useDocuments } from './document-queries.ts'
import { placeNewDocument } from './place-new-document.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'

interface TemplateDialogProps {
  /** The folder that gets the new document; null for none. */
  readonly folder: string | null
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

export default function TemplateDialog({ folder, onClose }: TemplateDialogProps) {
  const router = useRouter()
  const [open, setOpen] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const { data: own, error } = useDocuments({ filter: 'templates', folder: '', sort: 'title' })
  const create = async (make: () => Promise<DocumentEntry>, title: string) => {
    setBusy(true)
    try {
      const { id } = await make()
      await placeNewDocument(id, folder)
      router.push(`/d/${id}`)
    } catch (failure) {
      const isGone = failure instanceof ApiRequestError && failure.status === 404
      toast.error(isGone ? templatesStrings.gone(title) : templatesStrings.failed((failure as Error).message))
      if (isGone) fetchListAgain()
      setBusy(false)
    }
  }
  const copy = ({ id, title }: ListedEntry) =>
    create(() => api.duplicateDocument(id, title), shownTitle(title))
  const createBuiltIn = (template: BuiltInTemplateName) =>
    create(() => api.createDocument({ template }), templatesStrings.names[template].name)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={templatesStrings.title}>
        <h3 className="text-sm font-medium text-muted">{templatesStrings.own}</h3>
        {own && own.length > 0 ? (
          <ul aria-label={templatesStrings.own} className="mt-1 mb-4">
            {own.map((entry) => (
              <TemplateItem
                key={entry.id}
                Icon={FileText}
                name={shownTitle(entry.title)}
                sentence={entry.preview}
                isBusy={isBusy}
                onChoose={() => void copy(entry)}
              />
            ))}
          </ul>
        ) : (
          <p className="mt-1 mb-4 text-sm text-muted">
            {error ? templatesStrings.notFetched(error.message) : own && templatesStrings.noOwn}
          </p>
        )}
        <h3 className="text-sm font-medium text-muted">{templatesStrings.builtIn}</h3>
        <ul aria-label={templatesStrings.builtIn} className="mt-1">
          {builtInTemplateNames.map((name) => (
            <TemplateItem
              key={name}
              Icon={LayoutTemplate}
              {...templatesStrings.names[name]}
              isBusy={isBusy}
              onChoose={() => void createBuiltIn(name)}
            />
          ))}
        </ul>
      </Modal>
    </Dialog.Root>
  )
}

interface TemplateItemProps {
  readonly Icon: LucideIcon
  readonly name: string
  readonly sentence: string
  readonly isBusy: boolean
  readonly onChoose: () => void
}

const TemplateItem = ({ Icon, name, sentence, isBusy, onChoose }: TemplateItemProps) => (
  <li>
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : onChoose}
      className="flex w-full items-start gap-3 rounded-lg px-2 py-2 text-start hover:bg-sunk aria-disabled:opacity-55"
    >
      <Icon size={18} aria-hidden className="mt-0.5 shrink-0 text-muted" />
      <span className="min-w-0">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="block truncate text-sm text-muted">{sentence}</span>
      </span>
    </button>
  </li>
)
