'use client'

import { HardDrive, X } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import type { StorageUsage } from '@/components/http-api.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { storageStrings } from '@/lib/strings/storage.ts'
import { fetchStorage } from './fetch-storage.ts'
import { StorageMeter } from './storage-meter.tsx'
import { storageWarning } from './storage-words.ts'

/** Lies over the text of an owner whose space is nearly full, and moves nothing. */
export default function EditorStorageNotice() {
  const [usage, setUsage] = useState<StorageUsage | null>(null)
  useEffect(() => void fetchStorage().then(setUsage, () => {}), [])
  if (!usage?.isNearlyFull) return null
  const { title, hint } = storageWarning(usage)
  return (
    <section
      aria-label={storageStrings.title}
      data-screen-only
      className="fixed inset-x-3 bottom-3 z-10 flex flex-col gap-2 rounded-xl border border-line bg-raised p-4 text-sm shadow-float sm:right-auto sm:left-[calc(var(--dock-left,0px)+0.75rem)] sm:w-80"
    >
      <div className="flex items-start gap-2.5">
        <HardDrive size={18} aria-hidden className="mt-px shrink-0 text-wait" />
        <output className="block min-w-0 flex-1 text-pretty">
          <strong className="font-medium">{title}</strong> {hint}
        </output>
        <Button
          look="quiet"
          shape="icon"
          aria-label={commonStrings.close}
          onClick={() => setUsage(null)}
          className="-mt-2 -mr-2"
        >
          <X size={16} aria-hidden />
        </Button>
      </div>
      <StorageMeter usage={usage} />
      <Link href="/" className={buttonClass()}>
        {storageStrings.toDocuments}
      </Link>
    </section>
  )
}
