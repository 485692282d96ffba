/** The fifty figures that a dashboard shows: a name, a unit, and how to read the value. */
import { CHART_COUNT, type FigureUnit } from '../../lib/protocol/lab.ts'
import { gaugesStrings } from '../../lib/strings/gauges.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { networkTransports } from '../../lib/transports/descriptors.ts'
import type { ServerReading } from './server-meter.ts'

export interface FigureGauge {
  readonly name: string
  readonly unit: FigureUnit
  read(reading: ServerReading): number
}

const createGauge = (
  name: string,
  unit: FigureUnit,
  read: (reading: ServerReading) => number,
): FigureGauge => ({ name, unit, read })

const heapGauge = (name: string, unit: FigureUnit, key: keyof ServerReading['heap']): FigureGauge =>
  createGauge(name, unit, ({ heap }) => heap[key])

const usedBytesGauge = (name: string, space: string): FigureGauge =>
  createGauge(name, 'bytes', ({ spaces }) => spaces.get(space)?.used ?? 0)

const freeBytesGauge = (name: string, space: string): FigureGauge =>
  createGauge(name, 'bytes', ({ spaces }) => spaces.get(space)?.free ?? 0)

const rateGauge = (name: string, key: keyof NodeJS.ResourceUsage): FigureGauge =>
  createGauge(name, 'per second', ({ usage, since, seconds }) => (usage[key] - since.usage[key]) / seconds)

const percentOf = (microseconds: number, seconds: number): number => microseconds / 1e4 / seconds

const sumCounts = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0)

const processGauges: readonly FigureGauge[] = [
  createGauge(gaugesStrings.process.residentMemory, 'bytes', ({ memory }) => memory.rss),
  createGauge(gaugesStrings.process.heapUsed, 'bytes', ({ memory }) => memory.heapUsed),
  createGauge(gaugesStrings.process.heapReserved, 'bytes', ({ memory }) => memory.heapTotal),
  createGauge(gaugesStrings.process.outsideHeap, 'bytes', ({ memory }) => memory.external),
  createGauge(gaugesStrings.process.arrayBuffers, 'bytes', ({ memory }) => memory.arrayBuffers),
  createGauge(gaugesStrings.process.mostResident, 'bytes', ({ usage }) => usage.maxRSS * 1024),
  createGauge(gaugesStrings.process.ownCode, 'percent', ({ cpu, seconds }) => percentOf(cpu.user, seconds)),
  createGauge(gaugesStrings.process.system, 'percent', ({ cpu, seconds }) => percentOf(cpu.system, seconds)),
  createGauge(gaugesStrings.process.loopBusy, 'percent', ({ busy }) => busy * 100),
  createGauge(gaugesStrings.process.loopDelayP50, 'ms', ({ delay }) => delay.p50),
  createGauge(gaugesStrings.process.loopDelayP99, 'ms', ({ delay }) => delay.p99),
  createGauge(gaugesStrings.process.loopLongestDelay, 'ms', ({ delay }) => delay.max),
  rateGauge(gaugesStrings.process.minorFaults, 'minorPageFault'),
  rateGauge(gaugesStrings.process.majorFaults, 'majorPageFault'),
  rateGauge(gaugesStrings.process.voluntarySwitches, 'voluntaryContextSwitches'),
  rateGauge(gaugesStrings.process.involuntarySwitches, 'involuntaryContextSwitches'),
  rateGauge(gaugesStrings.process.diskReads, 'fsRead'),
  rateGauge(gaugesStrings.process.diskWrites, 'fsWrite'),
]

const heapGauges: readonly FigureGauge[] = [
  heapGauge(gaugesStrings.heap.committed, 'bytes', 'total_physical_size'),
  heapGauge(gaugesStrings.heap.executable, 'bytes', 'total_heap_size_executable'),
  heapGauge(gaugesStrings.heap.stillAllowed, 'bytes', 'total_available_size'),
  heapGauge(gaugesStrings.heap.allocated, 'bytes', 'malloced_memory'),
  heapGauge(gaugesStrings.heap.contexts, 'count', 'number_of_native_contexts'),
  heapGauge(gaugesStrings.heap.handlesUsed, 'bytes', 'used_global_handles_size'),
  heapGauge(gaugesStrings.heap.handles, 'bytes', 'total_global_handles_size'),
  usedBytesGauge(gaugesStrings.heap.newObjects, 'new_space'),
  usedBytesGauge(gaugesStrings.heap.oldObjects, 'old_space'),
  usedBytesGauge(gaugesStrings.heap.code, 'code_space'),
  usedBytesGauge(gaugesStrings.heap.largeObjects, 'large_object_space'),
  usedBytesGauge(gaugesStrings.heap.newLargeObjects, 'new_large_object_space'),
  usedBytesGauge(gaugesStrings.heap.trustedObjects, 'trusted_space'),
  freeBytesGauge(gaugesStrings.heap.newObjectsFree, 'new_space'),
]

const diptychGauges: readonly FigureGauge[] = [
  createGauge(gaugesStrings.diptych.sessions, 'count', ({ measured }) => sumCounts(measured.sessions())),
  ...networkTransports.map((id) =>
    createGauge(
      gaugesStrings.diptych.links(transportLabels[id]),
      'count',
      ({ measured }) => measured.links().get(id) ?? 0,
    ),
  ),
  createGauge(gaugesStrings.diptych.editsNow, 'per second', ({ since, seconds }) => since.edits / seconds),
  createGauge(
    gaugesStrings.diptych.commitsNow,
    'per second',
    ({ since, seconds }) => since.commits / seconds,
  ),
  createGauge(gaugesStrings.diptych.edits, 'count', ({ measured }) => measured.counts.edits),
  createGauge(gaugesStrings.diptych.commits, 'count', ({ measured }) => measured.counts.commits),
  createGauge(gaugesStrings.diptych.commitsRefused, 'count', ({ measured }) => measured.counts.storeFailures),
  createGauge(gaugesStrings.diptych.lags, 'count', ({ measured }) => measured.counts.lags),
  createGauge(gaugesStrings.diptych.resyncs, 'count', ({ measured }) => sumCounts(measured.counts.resyncs)),
  createGauge(gaugesStrings.diptych.refusals, 'count', ({ measured }) => sumCounts(measured.counts.refusals)),
  createGauge(gaugesStrings.diptych.answersWaiting, 'count', ({ measured }) => measured.waitingCount()),
]

const machineGauges: readonly FigureGauge[] = [
  createGauge(gaugesStrings.machine.load1, 'count', ({ load }) => load[0] ?? 0),
  createGauge(gaugesStrings.machine.load15, 'count', ({ load }) => load[2] ?? 0),
  createGauge(gaugesStrings.machine.freeMemory, 'bytes', ({ freeMemory }) => freeMemory),
]

/** As many as the dashboard has charts: for a transport that is added the last one gives way. */
export const gauges: readonly FigureGauge[] = [
  ...processGauges,
  ...heapGauges,
  ...diptychGauges,
  ...machineGauges,
].slice(0, CHART_COUNT)
