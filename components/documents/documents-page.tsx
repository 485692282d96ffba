'use client'

import { ChevronDown, FilePlus, Search, TextSearch } from 'lucide-react'
import { useState } from 'react'
import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { openSearch } from '@/components/commands/open-search.ts'
import { SettingsButton } from '@/components/settings/settings-button.tsx'
import { ListStorageNotice } from '@/components/storage/list-storage-notice.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { LazyComponent, preloadWhenNear } from '@/components/ui/lazy-component.tsx'
import { Logo } from '@/components/ui/logo.tsx'
import { ThemeMenu } from '@/components/settings/theme-menu.tsx'
import { DocumentResults } from './document-results.tsx'
import { ImportButton } from './import-button.tsx'
import { ListBar } from './list-bar.tsx'
import { usePlace } from './place.ts'
import { placeNewDocument } from './place-new-document.ts'
import { PlacesNav } from './places-nav.tsx'
import { TrashList } from './trash-list.tsx'
import { useNewDocument } from './use-new-document.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { templatesStrings } from '@/lib/strings/templates.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

export function DocumentsPage() {
  const [search, setSearch] = useState('')
  const place = usePlace()
  const isTrash = place.kind === 'trash'
  return (
    <>
      <a href="#documents" className="skip-link">
        {documentsStrings.skip}
      </a>
      <header className="mx-auto flex max-w-6xl items-center gap-2.5 px-4 pt-5 sm:px-6">
        <Logo />
        <span className="flex-1 font-serif text-xl font-semibold tracking-tight">
          {commonStrings.product}
        </span>
        <SettingsButton />
        <ThemeMenu />
      </header>
      <main
        id="documents"
        tabIndex={-1}
        className="mx-auto max-w-6xl px-4 pt-10 pb-24 outline-none sm:px-6 sm:pt-16"
      >
        <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-4">
          <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">
            {documentsStrings.title}
          </h1>
          <div className="flex flex-wrap gap-2">
            <ImportButton />
            <NewDocumentButton folder={place.kind === 'folder' ? place.id : null} />
          </div>
        </div>
        <div className="lg:mt-8 lg:flex lg:gap-8">
          <PlacesNav place={place} />
          <div className="min-w-0 flex-1">
            {!isTrash && <SearchBox value={search} onChange={setSearch} />}
            <ListStorageNotice />
            <ListBar place={place} />
            {isTrash ? <TrashList /> : <DocumentResults search={search.trim()} place={place} />}
            {!isTrash && search.trim() !== '' && (
              <Button look="quiet" onClick={() => openSearch(search.trim())}>
                <TextSearch size={17} aria-hidden /> {documentsStrings.search.inTexts(search.trim())}
              </Button>
            )}
          </div>
        </div>
      </main>
    </>
  )
}

const loadTemplateDialog = () => import('./template-dialog.tsx')

/** An empty document at a press, and templates at another one. */
function NewDocumentButton({ folder }: { folder: string | null }) {
  const { createDocument, busy, command } = useNewDocument((id) => placeNewDocument(id, folder))
  const [isChoosing, setChoosing] = useState(false)
  const close = () => setChoosing(false)
  const templateCommand: Command = {
    id: 'new-from-template',
    title: templatesStrings.button,
    section: 'Document',
    run: () => setChoosing(true),
  }
  useCommands([command, templateCommand])
  return (
    <div className="flex gap-px">
      <Button
        look="primary"
        onClick={createDocument}
        disabled={busy}
        aria-busy={busy}
        className="rounded-e-none"
      >
        <FilePlus size={17} aria-hidden />
        {uiStrings.newDocument.title}
      </Button>
      <Hint text={templatesStrings.button}>
        <Button
          look="primary"
          shape="icon"
          aria-label={templatesStrings.button}
          aria-haspopup="dialog"
          onClick={() => setChoosing(true)}
          className="rounded-s-none"
          {...preloadWhenNear(loadTemplateDialog)}
        >
          <ChevronDown size={17} aria-hidden />
        </Button>
      </Hint>
      {isChoosing && (
        <LazyComponent load={loadTemplateDialog} props={{ folder, onClose: close }} onLoadFailed={close} />
      )}
    </div>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <search className="relative block max-lg:mt-4">
      <Search
        size={17}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={documentsStrings.search.label}
        placeholder={documentsStrings.search.placeholder}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 w-full rounded-xl border border-edge bg-raised pr-3.5 pl-10 placeholder:text-muted"
      />
    </search>
  )
}
