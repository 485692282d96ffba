'use client'

import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { AllowPopupsHelp } from '@/components/windows/allow-popups-help.tsx'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import { useOwnWindowEntries } from '@/components/windows/use-own-window-entries.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { labStrings } from '@/lib/strings/lab.ts'
import type { TransportId } from '@/lib/transports/transport.ts'
import type { LabContextState } from './use-lab-context.ts'

interface WindowsSectionProps {
  readonly state: LabContextState
  readonly openWindows: () => void
}

/** Shows which windows are measured, and opens more. Browsers demand one click per window. */
export function WindowsSection({ state, openWindows }: WindowsSectionProps) {
  return (
    <section
      aria-labelledby="windows"
      className="flex flex-col gap-3 rounded-xl border border-line bg-raised p-4"
    >
      <h2 id="windows" className="text-lg font-semibold">
        {labStrings.windows.title}
      </h2>
      {state.phase === 'ready' ? (
        <WindowsUnderTestList document={state.context.document} />
      ) : (
        <OpenWindowsStep state={state} openWindows={openWindows} />
      )}
    </section>
  )
}

function OpenWindowsStep({ state, openWindows }: WindowsSectionProps) {
  const busy = state.phase === 'opening'
  return (
    <div className="flex flex-col items-start gap-3">
      {state.phase === 'failed' ? (
        <p role="alert" className="text-sm text-danger">
          {labStrings.windows.failed(state.message)}
        </p>
      ) : (
        <p className="text-sm text-muted">{labStrings.windows.harmless}</p>
      )}
      <Button look="primary" onClick={openWindows} disabled={busy} aria-busy={busy}>
        {busy ? labStrings.windows.opening : labStrings.windows.begin}
      </Button>
    </div>
  )
}

function WindowsUnderTestList({ document }: { document: string }) {
  const windows = useOwnWindowEntries().filter((entry) => !entry.self && entry.document === document)
  const [isBlocked, setIsBlocked] = useState(false)
  const open = () => setIsBlocked(openNewWindow({ document, kind: 'text' }, false) === 'blocked')
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={open}>
          <AppWindow size={16} aria-hidden /> {labStrings.windows.open}
        </Button>
        <p className="min-w-56 flex-1 text-sm text-muted">{labStrings.windows.hint}</p>
      </div>
      {isBlocked && <PopupBlockedNotice document={document} />}
      {windows.length === 0 ? (
        <p className="text-sm text-muted">{labStrings.windows.empty}</p>
      ) : (
        <ul aria-label={labStrings.windows.list} className="flex flex-col text-sm">
          {windows.map(({ id, sameBrowser, device, link }, index) => (
            <li key={id} className="flex flex-wrap gap-x-4 border-t border-line py-1.5">
              <span className="font-medium">{labStrings.windows.window(index + 1)}</span>
              <span className="text-muted">{sameBrowser ? labStrings.windows.thisBrowser : device.name}</span>
              <span>
                {link ? transportNameOf(link.transport as TransportId) : labStrings.windows.notConnected}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function PopupBlockedNotice({ document }: { document: string }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 text-sm">
      <p>{labStrings.windows.blocked}</p>
      <a href={`/d/${document}`} target="_blank" rel="noopener" className={buttonClass({ shape: 'small' })}>
        {labStrings.windows.asTab}
      </a>
      <AllowPopupsHelp />
    </div>
  )
}
