'use client'

import { Check, CircleAlert, CloudUpload, LoaderCircle } from 'lucide-react'
import type { OpenDocument } from '@/lib/client.ts'
import { Hint } from '@/components/ui/hint'
import { saveStateSentence, saveStateText } from './save-state'
import { useSaveState } from './use-save-state'

const faces = {
  loading: { Icon: LoaderCircle, look: 'text-muted' },
  saved: { Icon: Check, look: 'text-muted' },
  sending: { Icon: CloudUpload, look: 'text-muted' },
  'not-saved': { Icon: CircleAlert, look: 'text-danger font-medium' },
} as const

/** Keeps its place and width whatever it says. Silent: each key would be announced; `Announcer` speaks when it matters. */
export function SaveStateLabel({ opened, cutOff }: { opened: OpenDocument; cutOff: boolean }) {
  const state = useSaveState(opened, cutOff)
  const { Icon, look } = faces[state.kind]
  return (
    <output
      aria-live="off"
      aria-label="Save state"
      data-state={state.kind}
      className="block w-28 min-[360px]:w-36 sm:w-48 shrink-0 text-sm"
    >
      <Hint text={saveStateSentence(state)}>
        <span className={`inline-flex max-w-full items-center gap-1.5 rounded ${look}`}>
          <Icon size={15} aria-hidden className="shrink-0" />
          <span className="truncate tabular-nums">{saveStateText(state)}</span>
        </span>
      </Hint>
    </output>
  )
}
