'use client'

import { useId, useState, useSyncExternalStore } from 'react'
import { CHARTS, longestWait, MAX_SEED } from '@/lib/protocol/lab.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { transportChoices } from '@/lib/windows/requests.ts'
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
      aria-label="Measurement"
      className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-4"
    >
      <fieldset disabled={drawing.busy} className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-semibold">Ask by</legend>
        <Choice name={name} checked={way === 'requests'} onChange={() => setWay('requests')}>
          Plain requests{protocol && `, ${protocolName(protocol)}`}
        </Choice>
        <Choice name={name} checked={way === 'session'} onChange={() => setWay('session')}>
          Requests inside the session
        </Choice>
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        <fieldset disabled={drawing.busy} className="flex flex-wrap gap-4">
          {way === 'session' && <TransportField value={transport} onChange={setTransport} />}
          <SeedField value={seed} onChange={setSeed} />
        </fieldset>
        {drawing.busy ? (
          <Button onClick={drawing.cancel}>Cancel</Button>
        ) : (
          <Button look="primary" onClick={start} aria-disabled={!asked}>
            {desk.state === 'opening' ? 'Connecting…' : 'Draw 50 charts'}
          </Button>
        )}
        <label className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={live}
            onChange={() => setLive(!live)}
            className="size-4 accent-accent"
          />
          Keep them live
        </label>
      </div>
      {drawing.busy && <ProgressBar name="Charts drawn" value={drawing.settled} most={CHARTS} />}
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
  const limit = `With this seed the slowest answer takes ${(longestWait(seed) / 1000).toFixed(2)} s: nothing can be quicker.`
  if (busy) return 'Drawing…'
  switch (end?.as) {
    case 'drawn':
      return `All drawn. ${limit}`
    case 'cancelled':
      return `Cancelled: this drawing is not counted. ${limit}`
    default:
      return limit
  }
}

/** Why nothing was drawn, or cannot be. */
function Problem({ desk, end }: { desk: Desk; end: Drawing['end'] }) {
  const text =
    desk.state === 'failed'
      ? `The session did not open. ${desk.reason}`
      : end?.as === 'failed' && `No chart was drawn. ${end.reason}`
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
      Transport
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
      Seed
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
      {isPlain
        ? 'This page came over http, where browsers speak HTTP/1.1. Open the https address that the server printed to compare with HTTP/2.'
        : 'To compare with HTTP/1.1, open the http address that the server printed on its own computer.'}
    </p>
  )
}
