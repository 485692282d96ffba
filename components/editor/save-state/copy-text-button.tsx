'use client'

import { useEffect, useState } from 'react'
import type * as Y from 'yjs'
import { blocksTextOf } from '@/lib/text/plain-text.ts'
import { textToCopy } from '@/lib/text/text-to-copy.ts'
import { CopyButton } from '@/components/ui/copy-button.tsx'
import { useCopy } from '@/components/ui/use-copy.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

/**
 * Copies the text of a window that can no longer save it: as Markdown, or as plain text if the Markdown writer cannot be loaded any more.
 */
export function CopyTextButton({ doc }: { doc: Y.Doc }) {
  const writeBlocks = useBlockWriter()
  const [selected, setSelected] = useState<string | null>(null)
  const { outcome, copy } = useCopy(setSelected)
  return (
    <>
      <CopyButton
        shape="small"
        copied={outcome === 'copied'}
        label={saveStateStrings.copyText.copy}
        onClick={() => void copy(textToCopy(doc, writeBlocks))}
      />
      {outcome === 'selected' && selected !== null && (
        <div className="basis-full">
          <output className="text-muted">{saveStateStrings.copyText.selected}</output>
          <textarea
            key={selected}
            ref={selectAll}
            readOnly
            aria-label={saveStateStrings.copyText.field}
            rows={4}
            defaultValue={selected}
            className="mt-2 w-full rounded-lg border border-edge bg-paper px-2.5 py-1.5 font-mono"
          />
        </div>
      )}
      {outcome === 'copied' && <output className="sr-only">{saveStateStrings.copyText.copied}</output>}
    </>
  )
}

function selectAll(field: HTMLTextAreaElement | null): void {
  field?.focus()
  field?.select()
}

/** Loads the writer as soon as it may be needed, because a browser allows copying only during the click. */
function useBlockWriter(): Parameters<typeof textToCopy>[1] {
  const [write, setWrite] = useState(() => blocksTextOf as Parameters<typeof textToCopy>[1])
  useEffect(() => {
    let isWanted = true
    import('@/lib/text/markdown.ts').then(
      ({ markdownOf }) => isWanted && setWrite(() => markdownOf),
      () => {}, // then the text is copied as plain text
    )
    return () => {
      isWanted = false
    }
  }, [])
  return write
}
