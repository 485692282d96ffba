'use client'

import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import type { ResultEnvironment } from './read-result.ts'
import { resultInHash, type ResultKind } from './result-storage.ts'

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

interface SharedResultProps<Result extends ResultEnvironment> {
  readonly kind: ResultKind<Result>
  readonly children: (result: Result) => ReactNode
}

/** Shows a result from the address; whoever made the link decided what is in it. */
export function SharedResult<Result extends ResultEnvironment>({
  kind,
  children,
}: SharedResultProps<Result>) {
  const hash = useSyncExternalStore(
    subscribe,
    () => location.hash,
    () => '',
  )
  const [closedHash, setClosedHash] = useState('')
  const result = resultInHash(hash, kind)
  if (result === undefined || hash === closedHash) return null
  const close = () => {
    setClosedHash(hash)
    document.getElementById('lab')?.focus()
  }
  return (
    <section aria-labelledby="shared" className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <div className="flex items-center justify-between gap-3">
        <h2 id="shared" className="text-lg font-semibold">
          {labStrings.shared.title}
        </h2>
        <Button shape="small" onClick={close}>
          {commonStrings.close}
        </Button>
      </div>
      {result ? (
        <>
          <p className="text-sm text-muted">{labStrings.shared.hint}</p>
          {children(result)}
        </>
      ) : (
        <p role="alert" className="text-sm">
          {labStrings.shared.unreadable}
        </p>
      )}
    </section>
  )
}
