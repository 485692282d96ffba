'use client'

import { useId, useState, useSyncExternalStore } from 'react'
import { CHARTS, longestWait, MAX_SEED } from '@/lib/protocol/lab.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { transportChoices } from '@/lib/windows/requests.ts'
import { nameOf } from '@/components/connection/words'
import { Button } from '@/components/ui/button'
import { LabFrame } from '../lab-frame'
import { FigureChart } from './figure-chart'
import { ResultTable } from './result-table'
import { type DeskOpened, useDesk } from './use-desk'
import { type Drawing, useRun } from './use-run'
import { byRequest, bySession, pageProtocol, protocolName, type Way } from './ways'

const charts = Array.from({ length: CHARTS }, (_, chart) => chart)

export function DashboardPage() {
  const drawing = useRun()
  const [live, setLive] = useState(false)
  const { run } = drawing
  return (
    <LabFrame
      path="/lab/dashboard"
      title="Dashboard"
      sentence="Fifty charts of this server’s own figures, each answered after 1 to 5 seconds that a seed decides. How long until all are drawn depends on how many requests may be on their way at once: HTTP/1.1 allows a page six, HTTP/2 and a session many."
    >
      <Controls drawing={drawing} live={live} setLive={setLive} />
      <ResultTable results={drawing.results} />
      {run && (
        <ul
          aria-label="Charts"
          className="grid grid-cols-2 gap-2 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-5"
        >
          {charts.map((chart) => (
            <FigureChart
              key={`${run.id}.${chart}`}
              run={run}
              chart={chart}
              live={live && !drawing.busy}
              onSettled={(which, failed) => drawing.settle(run.id, which, failed)}
            />
          ))}
        </ul>
      )}
    </LabFrame>
  )
}

interface ControlsProps {
  readonly drawing: Drawing
  readonly live: boolean
  readonly setLive: (live: boolean) => void
}

function Controls({ drawing, live, setLive }: ControlsProps) {
  const [way, setWay] = useState<Way>('requests')
  const [transport, setTransport] = useState<TransportChoice>('automatic')
  const [seed, setSeed] = useState(1)
  const opened = useDesk(way === 'session', transport)
  const protocol = usePageProtocol()
  const name = useId()
  const ready = way === 'requests' || opened !== null
  const start = () => drawing.start({ seed, ...wayOf(way, opened, protocol) })
  return (
    <section
      aria-label="Measurement"
      className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-4"
    >
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-semibold">Ask by</legend>
        <Choice name={name} checked={way === 'requests'} onChange={() => setWay('requests')}>
          Plain requests, {protocolName(protocol)}
        </Choice>
        <Choice name={name} checked={way === 'session'} onChange={() => setWay('session')}>
          Requests inside the session
        </Choice>
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        {way === 'session' && <TransportField value={transport} onChange={setTransport} />}
        <SeedField value={seed} onChange={setSeed} />
        {drawing.busy ? (
          <Button onClick={drawing.cancel}>Cancel</Button>
        ) : (
          <Button look="primary" onClick={start} disabled={!ready}>
            {ready ? 'Draw 50 charts' : 'Connecting…'}
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
      {drawing.busy && (
        <progress
          aria-label="Charts drawn"
          value={drawing.settled}
          max={CHARTS}
          className="h-2 w-full accent-accent"
        />
      )}
      <output className="text-sm text-muted tabular-nums">{statusOf(drawing, seed)}</output>
      <OtherProtocol />
    </section>
  )
}

const wayOf = (way: Way, opened: DeskOpened | null, protocol: string) =>
  way === 'session' && opened
    ? { ask: bySession(opened.desk), name: `Session, ${sessionName(opened)}` }
    : { ask: byRequest, name: `Requests, ${protocolName(protocol)}` }

function sessionName({ desk, transport }: DeskOpened): string {
  const { transport: info } = desk
  return info ? `${nameOf(info.transport)}, ${protocolName(info.protocol)}` : nameOf(transport)
}

/** The count stands in the progress bar: fifty sentences would be read out. */
function statusOf({ run, busy }: Drawing, seed: number): string {
  const limit = `With this seed the slowest answer takes ${(longestWait(seed) / 1000).toFixed(2)} s: nothing can be quicker.`
  if (!run) return limit
  return busy ? 'Drawing…' : `All drawn. ${limit}`
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
