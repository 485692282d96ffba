'use client'

import { useId, useState, useSyncExternalStore } from 'react'
import { CHART_COUNT, longestFigureWaitMs, MAX_SEED } from '@/lib/protocol/lab.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { Button } from '@/components/ui/button.tsx'
import { SelectField } from '@/components/ui/select-field.tsx'
import { ProgressBar } from '../progress-bar.tsx'
import type { FigureMethod } from './dashboard-result.ts'
import { type LabDeskState, useLabDesk } from './use-lab-desk.ts'
import type { DashboardRunState, DashboardRun } from './use-dashboard-run.ts'
import { requestFigureByHttp, requestFigureBySession, pageProtocol, protocolName } from './figure-methods.ts'

interface DashboardControlsProps {
  readonly runState: DashboardRunState
  readonly isLive: boolean
  readonly setIsLive: (live: boolean) => void
}

/** Chooses the request method and the seed, and shows the progress. */
export function DashboardControls({ runState, isLive, setIsLive }: DashboardControlsProps) {
  const [method, setMethod] = useState<FigureMethod['way']>('requests')
  const [transport, setTransport] = useState<TransportChoice>('automatic')
  const [seed, setSeed] = useState(1)
  const deskState = useLabDesk(method === 'session', transport)
  const protocol = usePageProtocol()
  const name = useId()
  const figureRequests = figureRequestsOf(deskState)
  const start = () => figureRequests && runState.start({ seed, ...figureRequests })
  return (
    <section
      aria-label={labStrings.controls.name}
      className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-4"
    >
      <fieldset disabled={runState.isBusy} className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-semibold">{labStrings.controls.method}</legend>
        <MethodRadio name={name} checked={method === 'requests'} onChange={() => setMethod('requests')}>
          {protocol ? labStrings.controls.requestsBy(protocolName(protocol)) : labStrings.controls.requests}
        </MethodRadio>
        <MethodRadio name={name} checked={method === 'session'} onChange={() => setMethod('session')}>
          {labStrings.controls.session}
        </MethodRadio>
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        <fieldset disabled={runState.isBusy} className="flex flex-wrap gap-4">
          {method === 'session' && (
            <SelectField
              label={labStrings.controls.transport}
              labelPlace="above"
              value={transport}
              choices={transportChoices.map((choice) => [choice, transportNameOf(choice)])}
              onChange={setTransport}
            />
          )}
          <SeedField value={seed} onChange={setSeed} />
        </fieldset>
        {runState.isBusy ? (
          <Button onClick={runState.cancel}>{commonStrings.cancel}</Button>
        ) : (
          <Button look="primary" onClick={start} aria-disabled={!figureRequests}>
            {deskState.state === 'opening' ? labStrings.controls.connecting : labStrings.controls.draw}
          </Button>
        )}
        <label className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isLive}
            onChange={() => setIsLive(!isLive)}
            className="size-4 accent-accent"
          />
          {labStrings.controls.live}
        </label>
      </div>
      {runState.isBusy && (
        <ProgressBar name={labStrings.controls.progress} value={runState.settledCount} max={CHART_COUNT} />
      )}
      <output className="text-sm text-muted tabular-nums">{statusText(runState, seed)}</output>
      <RunProblem desk={deskState} end={runState.end} />
      <ProtocolHint />
    </section>
  )
}

/** Null if nothing can be requested. */
function figureRequestsOf(
  deskState: LabDeskState,
): Pick<DashboardRun, 'requestFigure' | 'describeMethod'> | null {
  if (deskState.state === 'unwanted')
    return {
      requestFigure: requestFigureByHttp,
      describeMethod: () => ({ way: 'requests', protocol: pageProtocol() }),
    }
  if (deskState.state !== 'open') return null
  const { shared: _, ...linkDetails } = deskState.desk.transport ?? { protocol: '' }
  return {
    requestFigure: requestFigureBySession(deskState.desk),
    describeMethod: () => ({ way: 'session', ...linkDetails }),
  }
}

/** The count is in the progress bar, because a screen reader would read out fifty sentences. */
function statusText({ isBusy, end }: DashboardRunState, seed: number): string {
  const limit = labStrings.controls.limit(labStrings.drawings.seconds(longestFigureWaitMs(seed)))
  if (isBusy) return labStrings.controls.drawing
  switch (end?.as) {
    case 'drawn':
      return labStrings.controls.drawn(limit)
    case 'cancelled':
      return labStrings.controls.cancelled(limit)
    default:
      return limit
  }
}

/** Says why nothing was drawn or can be drawn. */
function RunProblem({ desk, end }: { desk: LabDeskState; end: DashboardRunState['end'] }) {
  const text =
    desk.state === 'failed'
      ? labStrings.controls.noSession(desk.reason)
      : end?.as === 'failed' && labStrings.controls.failed(end.reason)
  if (!text) return null
  return (
    <p role="alert" className="text-sm text-danger">
      {text}
    </p>
  )
}

const neverChanges = () => () => {}
const usePageProtocol = (): string => useSyncExternalStore(neverChanges, pageProtocol, () => '')

interface MethodRadioProps {
  readonly name: string
  readonly checked: boolean
  readonly onChange: () => void
  readonly children: React.ReactNode
}

const MethodRadio = ({ name, checked, onChange, children }: MethodRadioProps) => (
  <label className="flex min-h-8 items-center gap-2.5">
    <input
      type="radio"
      name={name}
      checked={checked}
      onChange={onChange}
      className="size-4 shrink-0 accent-accent"
    />
    <span>{children}</span>
  </label>
)

const fieldClass = 'h-9 rounded-lg border border-edge bg-transparent px-2'

function SeedField({ value, onChange }: { value: number; onChange: (seed: number) => void }) {
  const onInput = (text: string) => {
    const seed = Number(text)
    if (Number.isSafeInteger(seed) && seed >= 0 && seed <= MAX_SEED) onChange(seed)
  }
  return (
    <label className="flex flex-col gap-1 text-sm">
      {labStrings.controls.seed}
      <input
        type="number"
        min={0}
        max={MAX_SEED}
        value={value}
        onChange={({ target }) => onInput(target.value)}
        className={`${fieldClass} w-28 tabular-nums`}
      />
    </label>
  )
}

/** A browser speaks HTTP/2 over TLS alone. */
function ProtocolHint() {
  const isPlain = useSyncExternalStore(
    neverChanges,
    () => location.protocol === 'http:',
    () => false,
  )
  return (
    <p className="text-sm text-muted">
      {isPlain ? labStrings.controls.comparePlain : labStrings.controls.compareSecure}
    </p>
  )
}
