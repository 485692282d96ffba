/** The fifty figures that a dashboard shows: a name, a unit, and how to read the value. */
import { CHART_COUNT, type FigureUnit } from '../../lib/protocol/lab.ts'
import { strings } from '../../lib/strings/gauges.ts'
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
  createGauge(strings.process.residentMemory, 'bytes', ({ memory }) => memory.rss),
  createGauge(strings.process.heapUsed, 'bytes', ({ memory }) => memory.heapUsed),
  createGauge(strings.process.heapReserved, 'bytes', ({ memory }) => memory.heapTotal),
  createGauge(strings.process.outsideHeap, 'bytes', ({ memory }) => memory.external),
  createGauge(strings.process.arrayBuffers, 'bytes', ({ memory }) => memory.arrayBuffers),
  createGauge(strings.process.mostResident, 'bytes', ({ usage }) => usage.maxRSS * 1024),
  createGauge(strings.process.ownCode, 'percent', ({ cpu, seconds }) => percentOf(cpu.user, seconds)),
  createGauge(strings.process.system, 'percent', ({ cpu, seconds }) => percentOf(cpu.system, seconds)),
  createGauge(strings.process.loopBusy, 'percent', ({ busy }) => busy * 100),
  createGauge(strings.process.loopDelayP50, 'ms', ({ delay }) => delay.p50),
  createGauge(strings.process.loopDelayP99, 'ms', ({ delay }) => delay.p99),
  createGauge(strings.process.loopLongestDelay, 'ms', ({ delay }) => delay.max),
  rateGauge(strings.process.minorFaults, 'minorPageFault'),
  rateGauge(strings.process.majorFaults, 'majorPageFault'),
  rateGauge(strings.process.voluntarySwitches, 'voluntaryContextSwitches'),
  rateGauge(strings.process.involuntarySwitches, 'involuntaryContextSwitches'),
  rateGauge(strings.process.diskReads, 'fsRead'),
  rateGauge(strings.process.diskWrites, 'fsWrite'),
]

const heapGauges: readonly FigureGauge[] = [
  heapGauge(strings.heap.committed, 'bytes', 'total_physical_size'),
  heapGauge(strings.heap.executable, 'bytes', 'total_heap_size_executable'),
  heapGauge(strings.heap.stillAllowed, 'bytes', 'total_available_size'),
  heapGauge(strings.heap.allocated, 'bytes', 'malloced_memory'),
  heapGauge(strings.heap.contexts, 'count', 'number_of_native_contexts'),
  heapGauge(strings.heap.handlesUsed, 'bytes', 'used_global_handles_size'),
  heapGauge(strings.heap.handles, 'bytes', 'total_global_handles_size'),
  usedBytesGauge(strings.heap.newObjects, 'new_space'),
  usedBytesGauge(strings.heap.oldObjects, 'old_space'),
  usedBytesGauge(strings.heap.code, 'code_space'),
  usedBytesGauge(strings.heap.largeObjects, 'large_object_space'),
  usedBytesGauge(strings.heap.newLargeObjects, 'new_large_object_space'),
  usedBytesGauge(strings.heap.trustedObjects, 'trusted_space'),
  freeBytesGauge(strings.heap.newObjectsFree, 'new_space'),
]

const diptychGauges: readonly FigureGauge[] = [
  createGauge(strings.diptych.sessions, 'count', ({ measured }) => sumCounts(measured.sessions())),
  ...networkTransports.map((id) =>
    createGauge(
      strings.diptych.links(transportLabels[id]),
      'count',
      ({ measured }) => measured.links().get(id) ?? 0,
    ),
  ),
  createGauge(strings.diptych.editsNow, 'per second', ({ since, seconds }) => since.edits / seconds),
  createGauge(strings.diptych.commitsNow, 'per second', ({ since, seconds }) => since.commits / seconds),
  createGauge(strings.diptych.edits, 'count', ({ measured }) => measured.counts.edits),
  createGauge(strings.diptych.commits, 'count', ({ measured }) => measured.counts.commits),
  createGauge(strings.diptych.commitsRefused, 'count', ({ measured }) => measured.counts.storeFailures),
  createGauge(strings.diptych.lags, 'count', ({ measured }) => measured.counts.lags),
  createGauge(strings.diptych.resyncs, 'count', ({ measured }) => sumCounts(measured.counts.resyncs)),
  createGauge(strings.diptych.refusals, 'count', ({ measured }) => sumCounts(measured.counts.refusals)),
  createGauge(strings.diptych.answersWaiting, 'count', ({ measured }) => measured.waitingCount()),
]

const machineGauges: readonly FigureGauge[] = [
  createGauge(strings.machine.load1, 'count', ({ load }) => load[0] ?? 0),
  createGauge(strings.machine.load15, 'count', ({ load }) => load[2] ?? 0),
  createGauge(strings.machine.freeMemory, 'bytes', ({ freeMemory }) => freeMemory),
]

/** As many as the dashboard has charts: for a transport that is added the last one gives way. */
export const gauges: readonly FigureGauge[] = [
  ...processGauges,
  ...heapGauges,
  ...diptychGauges,
  ...machineGauges,
].slice(0, CHART_COUNT)
