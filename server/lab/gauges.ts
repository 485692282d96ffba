/** The figures that a dashboard shows, fifty of them: a name, a unit, and what a look at the server says. */
import type { FigureUnit } from '../../lib/protocol/lab.ts'
import { strings } from '../../lib/strings/gauges.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { transportNames } from '../config.ts'
import type { Look } from './meter.ts'

export interface Gauge {
  readonly name: string
  readonly unit: FigureUnit
  of(look: Look): number
}

const gauge = (name: string, unit: FigureUnit, of: (look: Look) => number): Gauge => ({ name, unit, of })

const used = (name: string, space: string): Gauge =>
  gauge(name, 'bytes', ({ spaces }) => spaces.get(space)?.used ?? 0)

const free = (name: string, space: string): Gauge =>
  gauge(name, 'bytes', ({ spaces }) => spaces.get(space)?.free ?? 0)

const rate = (name: string, key: keyof NodeJS.ResourceUsage): Gauge =>
  gauge(name, 'per second', ({ usage, since, seconds }) => (usage[key] - since.usage[key]) / seconds)

const share = (microseconds: number, seconds: number): number => microseconds / 1e4 / seconds

const sum = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0)

const process: readonly Gauge[] = [
  gauge(strings.process.residentMemory, 'bytes', ({ memory }) => memory.rss),
  gauge(strings.process.heapUsed, 'bytes', ({ memory }) => memory.heapUsed),
  gauge(strings.process.heapReserved, 'bytes', ({ memory }) => memory.heapTotal),
  gauge(strings.process.outsideHeap, 'bytes', ({ memory }) => memory.external),
  gauge(strings.process.arrayBuffers, 'bytes', ({ memory }) => memory.arrayBuffers),
  gauge(strings.process.mostResident, 'bytes', ({ usage }) => usage.maxRSS * 1024),
  gauge(strings.process.ownCode, 'percent', ({ cpu, seconds }) => share(cpu.user, seconds)),
  gauge(strings.process.system, 'percent', ({ cpu, seconds }) => share(cpu.system, seconds)),
  gauge(strings.process.loopBusy, 'percent', ({ busy }) => busy * 100),
  gauge(strings.process.loopDelayP50, 'ms', ({ delay }) => delay.p50),
  gauge(strings.process.loopDelayP99, 'ms', ({ delay }) => delay.p99),
  gauge(strings.process.loopLongestDelay, 'ms', ({ delay }) => delay.max),
  rate(strings.process.minorFaults, 'minorPageFault'),
  rate(strings.process.majorFaults, 'majorPageFault'),
  rate(strings.process.voluntarySwitches, 'voluntaryContextSwitches'),
  rate(strings.process.involuntarySwitches, 'involuntaryContextSwitches'),
  rate(strings.process.diskReads, 'fsRead'),
  rate(strings.process.diskWrites, 'fsWrite'),
]

const heap: readonly Gauge[] = [
  gauge(strings.heap.committed, 'bytes', ({ heap: { total_physical_size } }) => total_physical_size),
  gauge(
    strings.heap.executable,
    'bytes',
    ({ heap: { total_heap_size_executable } }) => total_heap_size_executable,
  ),
  gauge(strings.heap.stillAllowed, 'bytes', ({ heap: { total_available_size } }) => total_available_size),
  gauge(strings.heap.allocated, 'bytes', ({ heap: { malloced_memory } }) => malloced_memory),
  gauge(
    strings.heap.contexts,
    'count',
    ({ heap: { number_of_native_contexts } }) => number_of_native_contexts,
  ),
  gauge(
    strings.heap.handlesUsed,
    'bytes',
    ({ heap: { used_global_handles_size } }) => used_global_handles_size,
  ),
  gauge(
    strings.heap.handles,
    'bytes',
    ({ heap: { total_global_handles_size } }) => total_global_handles_size,
  ),
  used(strings.heap.newObjects, 'new_space'),
  used(strings.heap.oldObjects, 'old_space'),
  used(strings.heap.code, 'code_space'),
  used(strings.heap.largeObjects, 'large_object_space'),
  used(strings.heap.newLargeObjects, 'new_large_object_space'),
  used(strings.heap.trustedObjects, 'trusted_space'),
  free(strings.heap.newObjectsFree, 'new_space'),
]

const diptych: readonly Gauge[] = [
  gauge(strings.diptych.sessions, 'count', ({ measured }) => measured.sessions()),
  ...transportNames.map((id) =>
    gauge(
      strings.diptych.links(transportLabels[id]),
      'count',
      ({ measured }) => measured.links().get(id) ?? 0,
    ),
  ),
  gauge(strings.diptych.editsNow, 'per second', ({ since, seconds }) => since.edits / seconds),
  gauge(strings.diptych.commitsNow, 'per second', ({ since, seconds }) => since.commits / seconds),
  gauge(strings.diptych.edits, 'count', ({ measured }) => measured.counts.edits),
  gauge(strings.diptych.commits, 'count', ({ measured }) => measured.counts.commits),
  gauge(strings.diptych.commitsRefused, 'count', ({ measured }) => measured.counts.storeFailures),
  gauge(strings.diptych.lags, 'count', ({ measured }) => measured.counts.lags),
  gauge(strings.diptych.resyncs, 'count', ({ measured }) => sum(measured.counts.resyncs)),
  gauge(strings.diptych.refusals, 'count', ({ measured }) => sum(measured.counts.refusals)),
  gauge(strings.diptych.answersWaiting, 'count', ({ measured }) => measured.parked()),
]

const machine: readonly Gauge[] = [
  gauge(strings.machine.load1, 'count', ({ load }) => load[0] ?? 0),
  gauge(strings.machine.load15, 'count', ({ load }) => load[2] ?? 0),
  gauge(strings.machine.freeMemory, 'bytes', ({ freeMemory }) => freeMemory),
]

export const gauges: readonly Gauge[] = [...process, ...heap, ...diptych, ...machine]
