'use client'

import { useId, useState, useSyncExternalStore } from 'react'
import { CHART_COUNT, longestFigureWaitMs, MAX_SEED } from '@/lib/protocol/lab.ts'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/lab.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'
import { nameOf } from '@/components/connection/words'
import { Button } from '@/components/ui/button'
import { ProgressBar } from '../progress-bar'
import type { WayUsed } from './result'
import { type Desk, useDesk } from './use-desk'
import type { Drawing, Run } from './use-run'
import { byRequest, bySession, pageProtocol, protocolName } from './ways'

interface ControlsProps {
  readonly drawing: Drawing
  readonly live: boolean
  readonly setLive: (live: boolean) => void
}

/** By which way, with which seed; and how it goes. */
export function Controls({ drawing, live, setLive }: ControlsProps) {
  const [way, setWay] = useState<WayUsed['way']>('requests')
  const [transport, setTransport] = useState<TransportChoice>('automatic')
  const [seed, setSeed] = useState(1)
  const desk = useDesk(way === 'session', transport)
  const protocol = usePageProtocol()
  const name = useId()
  const asked = askedBy(desk)
  const start = () => asked && drawing.start({ seed, ...asked })
  return (
    <section
      aria-label={strings.controls.name}
      className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-4"
    >
      <fieldset disabled={drawing.busy} className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-semibold">{strings.controls.method}</legend>
        <Choice name={name} checked={way === 'requests'} onChange={() => setWay('requests')}>
          {protocol ? strings.controls.requestsBy(protocolName(protocol)) : strings.controls.requests}
        </Choice>
        <Choice name={name} checked={way === 'session'} onChange={() => setWay('session')}>
          {strings.controls.session}
        </Choice>
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        <fieldset disabled={drawing.busy} className="flex flex-wrap gap-4">
          {way === 'session' && <TransportField value={transport} onChange={setTransport} />}
          <SeedField value={seed} onChange={setSeed} />
        </fieldset>
        {drawing.busy ? (
          <Button onClick={drawing.cancel}>{common.cancel}</Button>
        ) : (
          <Button look="primary" onClick={start} aria-disabled={!asked}>
            {desk.state === 'opening' ? strings.controls.connecting : strings.controls.draw}
          </Button>
        )}
        <label className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={live}
            onChange={() => setLive(!live)}
            className="size-4 accent-accent"
          />
          {strings.controls.live}
        </label>
      </div>
      {drawing.busy && (
        <ProgressBar name={strings.controls.progress} value={drawing.settled} most={CHART_COUNT} />
      )}
      <output className="text-sm text-muted tabular-nums">{statusOf(drawing, seed)}</output>
      <Problem desk={desk} end={drawing.end} />
      <OtherProtocol />
    </section>
  )
}

/** Null where nothing can be asked. */
function askedBy(desk: Desk): Pick<Run, 'ask' | 'by'> | null {
  if (desk.state === 'unwanted')
    return { ask: byRequest, by: () => ({ way: 'requests', protocol: pageProtocol() }) }
  if (desk.state !== 'open') return null
  const { sharedBy: _, ...carried } = desk.desk.transport ?? { protocol: '' }
  return { ask: bySession(desk.desk), by: () => ({ way: 'session', ...carried }) }
}

/** The count stands in the progress bar: fifty sentences would be read out. */
function statusOf({ busy, end }: Drawing, seed: number): string {
  const limit = strings.controls.limit(strings.drawings.seconds(longestFigureWaitMs(seed)))
  if (busy) return strings.controls.drawing
  switch (end?.as) {
    case 'drawn':
      return strings.controls.drawn(limit)
    case 'cancelled':
      return strings.controls.cancelled(limit)
    default:
      return limit
  }
}

/** Why nothing was drawn, or cannot be. */
function Problem({ desk, end }: { desk: Desk; end: Drawing['end'] }) {
  const text =
    desk.state === 'failed'
      ? strings.controls.noSession(desk.reason)
      : end?.as === 'failed' && strings.controls.failed(end.reason)
  if (!text) return null
  return (
    <p role="alert" className="text-sm text-danger">
      {text}
    </p>
  )
}

const nothing = () => () => {}
const usePageProtocol = (): string => useSyncExternalStore(nothing, pageProtocol, () => '')

interface ChoiceProps {
  readonly name: string
  readonly checked: boolean
  readonly onChange: () => void
  readonly children: React.ReactNode
}

const Choice = ({ name, checked, onChange, children }: ChoiceProps) => (
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

function TransportField({
  value,
  onChange,
}: {
  value: TransportChoice
  onChange: (choice: TransportChoice) => void
}) {
  return (
    <label className="flex flex-col gap-1 text-sm">
      {strings.controls.transport}
      <select
        value={value}
        onChange={({ target }) => onChange(target.value as TransportChoice)}
        className={fieldClass}
      >
        {transportChoices.map((choice) => (
          <option key={choice} value={choice}>
            {nameOf(choice)}
          </option>
        ))}
      </select>
    </label>
  )
}

function SeedField({ value, onChange }: { value: number; onChange: (seed: number) => void }) {
  const take = (text: string) => {
    const seed = Number(text)
    if (Number.isSafeInteger(seed) && seed >= 0 && seed <= MAX_SEED) onChange(seed)
  }
  return (
    <label className="flex flex-col gap-1 text-sm">
      {strings.controls.seed}
      <input
        type="number"
        min={0}
        max={MAX_SEED}
        value={value}
        onChange={({ target }) => take(target.value)}
        className={`${fieldClass} w-28 tabular-nums`}
      />
    </label>
  )
}

/** A browser speaks HTTP/2 over TLS alone. */
function OtherProtocol() {
  const isPlain = useSyncExternalStore(
    nothing,
    () => location.protocol === 'http:',
    () => false,
  )
  return (
    <p className="text-sm text-muted">
      {isPlain ? strings.controls.comparePlain : strings.controls.compareSecure}
    </p>
  )
}
