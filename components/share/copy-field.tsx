'use client'

import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'

/** Text to carry away. Where the clipboard is not allowed, it is selected and ready for the keyboard. */
export function CopyField({ text, label }: { text: string; label: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'selected'>('none')

  async function copy() {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('selected')
    }
  }

  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-2">
        <input
          ref={field}
          readOnly
          aria-label={label}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          className="h-9 min-w-0 flex-1 rounded-lg border border-edge bg-paper px-3 text-sm text-ellipsis"
        />
        <Button look="primary" onClick={() => void copy()} className="w-[6.5rem]">
          {outcome === 'copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <output className="text-sm text-muted empty:absolute">
        {outcome === 'selected' && 'The link is selected: copy it by keyboard or menu.'}
        {outcome === 'copied' && <span className="sr-only">The link is copied.</span>}
      </output>
    </div>
  )
}
