'use client'

import { Check, CircleAlert, CloudOff, CloudUpload, HardDrive, LoaderCircle, Lock } from 'lucide-react'
import { memo } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Hint } from '@/components/ui/hint.tsx'
import { saveStateSentence, saveStateText, type SaveState } from './save-state.ts'
import { useSaveState } from './use-save-state.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

const kindLooks = {
  loading: { Icon: LoaderCircle, look: 'text-muted' },
  saved: { Icon: Check, look: 'text-muted' },
  sending: { Icon: CloudUpload, look: 'text-muted' },
  unsent: { Icon: CloudOff, look: 'text-muted' },
  'on-device': { Icon: HardDrive, look: 'text-muted' },
  'no-access': { Icon: Lock, look: 'text-muted' },
  'not-saved': { Icon: CircleAlert, look: 'text-danger font-medium' },
} as const

export function SaveStateLabel({
  opened,
  isDisconnected,
}: {
  opened: OpenDocument
  isDisconnected: boolean
}) {
  const state = useSaveState(opened, isDisconnected)
  return <StateLabel kind={state.kind} text={saveStateText(state)} sentence={saveStateSentence(state)} />
}

interface StateLabelProps {
  readonly kind: SaveState['kind']
  readonly text: string
  readonly sentence: string
}

/**
 * Stays in its place whatever it says. It is not a live region, because each key press would be announced; `Announcer` speaks when it
 * matters. Memoised, since the state is read several times per key press and seldom changes.
 */
const StateLabel = memo(function StateLabel({ kind, text, sentence }: StateLabelProps) {
  const { Icon, look } = kindLooks[kind]
  return (
    <output
      aria-live="off"
      aria-label={saveStateStrings.label}
      data-state={kind}
      className="flex min-w-0 items-center text-sm"
    >
      <Hint text={sentence}>
        <span className={`inline-flex max-w-full min-w-0 items-center gap-1.5 rounded ${look}`}>
          <Icon size={15} aria-hidden className="shrink-0" />
          <span className="tabular-nums max-sm:line-clamp-2 max-sm:text-xs max-sm:leading-4 sm:truncate">
            {text}
          </span>
        </span>
      </Hint>
    </output>
  )
})
