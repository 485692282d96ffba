'use client'

import { HardDrive } from 'lucide-react'
import { Button } from '@/components/ui/button.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import type { DeviceDocument } from './device-documents.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

interface DeviceListNoticeProps {
  /** Why the server's list is missing. */
  readonly message: string
  readonly busy: boolean
  readonly onRetry: () => void
}

export function DeviceListNotice({ message, busy, onRetry }: DeviceListNoticeProps) {
  return (
    <div
      role="alert"
      className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl bg-sunk px-4 py-3 text-sm"
    >
      <p className="min-w-56 flex-1 text-muted">
        <Sentence
          parts={documentsStrings.device.hint(<strong className="font-medium text-ink">{message}</strong>)}
        />
      </p>
      <Button shape="small" onClick={onRetry} disabled={busy}>
        {commonStrings.tryAgain}
      </Button>
    </div>
  )
}

/** Replaces the list with the documents that open without the server. */
export function DeviceList({ entries }: { entries: readonly DeviceDocument[] }) {
  return (
    <ul aria-label={documentsStrings.title} className="mt-2">
      {entries.map((entry) => (
        <DeviceRow key={entry.id} entry={entry} />
      ))}
    </ul>
  )
}

function DeviceRow({ entry }: { entry: DeviceDocument }) {
  return (
    <li className="relative -mx-3 flex items-center gap-3 rounded-xl px-3 not-first:before:absolute not-first:before:inset-x-3 not-first:before:top-0 not-first:before:h-px not-first:before:bg-line focus-within:bg-sunk/70 hover:bg-sunk/70">
      <div className="min-w-0 flex-1 py-3.5">
        {/* A plain link: the router would ask the server for the page first. */}
        <a
          href={`/d/${entry.id}`}
          className="block truncate font-serif text-lg/snug font-semibold outline-offset-4 after:absolute after:inset-0 after:content-['']"
        >
          {shownTitle(entry.title)}
        </a>
        <p className="mt-0.5 text-sm text-muted">
          <Sentence parts={documentsStrings.device.copied(<RelativeTime at={entry.copiedAt} />)} />
        </p>
      </div>
      <span className="flex shrink-0 items-center gap-1.5 rounded-full border border-line bg-paper px-2.5 py-0.5 text-xs text-muted">
        <HardDrive size={13} aria-hidden /> {documentsStrings.device.onThisDevice}
      </span>
    </li>
  )
}
