/** The server's own figures, measured ten times a second while somebody looks at them, and not otherwise. */
import { CHART_COUNT, type Figure } from '../../lib/protocol/lab.ts'
import { type FigureGauge, gauges } from './gauges.ts'
import { ServerMeter, type LabMetricsSource } from './server-meter.ts'

const SAMPLE_INTERVAL_MS = 100
/** Six seconds: more than any answer waits. */
const MAX_SAMPLES = 60
/** Nobody has asked for so long. */
const IDLE_TIMEOUT_MS = 30_000

export interface FigureSource {
  /** Somebody asks: measure, or go on. */
  keepMeasuring(): void
  readFigure(chart: number): Omit<Figure, 'waitedMs'>
}

export function createFigureSource(metricsSource: LabMetricsSource): FigureSource {
  const samples: number[][] = gauges.map(() => [])
  let meter: ServerMeter | undefined
  let timer: NodeJS.Timeout | undefined
  let lastRequestAt = 0

  function takeSample(): void {
    if (performance.now() - lastRequestAt > IDLE_TIMEOUT_MS) return stopMeasuring()
    const reading = meter!.read()
    gauges.forEach(({ read }, chart) => {
      samples[chart]!.push(roundSample(read(reading)))
      if (samples[chart]!.length > MAX_SAMPLES) samples[chart]!.shift()
    })
  }

  function stopMeasuring(): void {
    clearInterval(timer)
    timer = undefined
    meter?.close()
    meter = undefined
    for (const values of samples) values.length = 0
  }

  return {
    keepMeasuring() {
      lastRequestAt = performance.now()
      if (timer) return
      meter = new ServerMeter(metricsSource)
      takeSample()
      timer = setInterval(takeSample, SAMPLE_INTERVAL_MS).unref()
    },
    readFigure(chart) {
      const { name, unit } = gauges[chart % CHART_COUNT] as FigureGauge
      return { chart, name, unit, everyMs: SAMPLE_INTERVAL_MS, values: [...samples[chart % CHART_COUNT]!] }
    },
  }
}

/** Three digits are more than a small chart shows. */
const roundSample = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(4)) : 0)
