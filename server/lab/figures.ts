/** The server's own figures, measured ten times a second while somebody looks at them, and not otherwise. */
import { CHART_COUNT, type Figure } from '../../lib/protocol/lab.ts'
import { type Gauge, gauges } from './gauges.ts'
import { Meter, type Measured } from './meter.ts'

const EVERY_MS = 100
/** Six seconds: more than any answer waits. */
const KEPT = 60
/** Nobody has asked for so long. */
const ASLEEP_MS = 30_000

export interface FigureSource {
  /** Somebody asks: measure, or go on. */
  awake(): void
  read(chart: number): Omit<Figure, 'waitedMs'>
}

export function figureSource(measured: Measured): FigureSource {
  const kept: number[][] = gauges.map(() => [])
  let meter: Meter | undefined
  let timer: NodeJS.Timeout | undefined
  let askedAt = 0

  function measure(): void {
    if (performance.now() - askedAt > ASLEEP_MS) return sleep()
    const now = meter!.read()
    gauges.forEach(({ of }, chart) => {
      kept[chart]!.push(rounded(of(now)))
      if (kept[chart]!.length > KEPT) kept[chart]!.shift()
    })
  }

  function sleep(): void {
    clearInterval(timer)
    timer = undefined
    meter?.close()
    meter = undefined
    for (const values of kept) values.length = 0
  }

  return {
    awake() {
      askedAt = performance.now()
      if (timer) return
      meter = new Meter(measured)
      measure()
      timer = setInterval(measure, EVERY_MS).unref()
    },
    read(chart) {
      const { name, unit } = gauges[chart % CHART_COUNT] as Gauge
      return { chart, name, unit, everyMs: EVERY_MS, values: [...kept[chart % CHART_COUNT]!] }
    },
  }
}

/** Three digits are more than a small chart shows. */
const rounded = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(4)) : 0)
