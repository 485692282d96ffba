/** Measures the server's own figures ten times a second, but only while somebody looks at them. */
import { CHART_COUNT, type Figure } from '../../lib/protocol/lab.ts'
import { type FigureGauge, gauges } from './gauges.ts'
import { ServerMeter, type LabMetricsSource } from './server-meter.ts'

const SAMPLE_INTERVAL_MS = 100
/** Six seconds of samples: more than any answer waits. */
const MAX_SAMPLES = 60
/** Measuring stops when there was no request for so long. */
const IDLE_TIMEOUT_MS = 30_000

export interface FigureSource {
  /** Starts measuring, or continues it, because of a request. */
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

/** A small chart shows fewer digits than this. */
const roundSample = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(4)) : 0)
