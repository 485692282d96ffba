'use client'

import { FilePlus, Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Logo } from '@/components/ui/logo'
import { ThemeMenu } from '@/components/ui/theme-menu'
import { toast } from '@/components/ui/toast'
import { DocumentsFound } from './document-list'
import { useCreateDocument } from './queries'

export function DocumentsPage() {
  const [search, setSearch] = useState('')
  return (
    <>
      <a href="#documents" className="skip-link">
        Skip to the documents
      </a>
      <header className="mx-auto flex max-w-3xl items-center gap-2.5 px-4 pt-5 sm:px-6">
        <Logo />
        <span className="flex-1 font-serif text-xl font-semibold tracking-tight">Diptych</span>
        <ThemeMenu />
      </header>
      <main
        id="documents"
        tabIndex={-1}
        className="mx-auto max-w-3xl px-4 pt-10 pb-24 outline-none sm:px-6 sm:pt-16"
      >
        <div className="flex flex-wrap items-end justify-between gap-x-3 gap-y-4">
          <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">Documents</h1>
          <NewDocument />
        </div>
        <SearchBox value={search} onChange={setSearch} />
        <DocumentsFound search={search.trim()} />
      </main>
    </>
  )
}

function NewDocument() {
  const router = useRouter()
  const create = useCreateDocument()
  const [leaving, setLeaving] = useState(false)
  const busy = create.isPending || leaving
  const start = () =>
    create.mutate(undefined, {
      onSuccess: ({ id }) => {
        setLeaving(true)
        router.push(`/d/${id}`)
      },
      onError: (error) => toast.error(`No document was made. ${error.message}`),
    })
  return (
    <Button look="primary" onClick={start} disabled={busy} aria-busy={busy}>
      <FilePlus size={17} aria-hidden />
      New document
    </Button>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <search className="relative mt-6 block">
      <Search
        size={17}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label="Search documents"
        placeholder="Search by title"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 w-full rounded-xl border border-edge bg-raised pr-3.5 pl-10 placeholder:text-muted"
      />
    </search>
  )
}
