/** The figures that a dashboard shows, fifty of them: a name, a unit, and what a look at the server says. */
import type { FigureUnit } from '../../lib/protocol/lab.ts'
import { transportLabels } from '../../lib/transports/labels.ts'
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
  gauge('Resident memory', 'bytes', ({ memory }) => memory.rss),
  gauge('Heap in use', 'bytes', ({ memory }) => memory.heapUsed),
  gauge('Heap reserved', 'bytes', ({ memory }) => memory.heapTotal),
  gauge('Memory outside the heap', 'bytes', ({ memory }) => memory.external),
  gauge('Array buffers', 'bytes', ({ memory }) => memory.arrayBuffers),
  gauge('Most resident memory', 'bytes', ({ usage }) => usage.maxRSS * 1024),
  gauge('Processor, own code', 'percent', ({ cpu, seconds }) => share(cpu.user, seconds)),
  gauge('Processor, system', 'percent', ({ cpu, seconds }) => share(cpu.system, seconds)),
  gauge('Event loop, busy', 'percent', ({ busy }) => busy * 100),
  gauge('Event loop, delay p50', 'ms', ({ delay }) => delay.p50),
  gauge('Event loop, delay p99', 'ms', ({ delay }) => delay.p99),
  gauge('Event loop, longest delay', 'ms', ({ delay }) => delay.max),
  rate('Minor page faults', 'minorPageFault'),
  rate('Major page faults', 'majorPageFault'),
  rate('Switches, given way', 'voluntaryContextSwitches'),
  rate('Switches, made to', 'involuntaryContextSwitches'),
  rate('Reads from disk', 'fsRead'),
  rate('Writes to disk', 'fsWrite'),
]

const heap: readonly Gauge[] = [
  gauge('Heap, committed', 'bytes', ({ heap: { total_physical_size } }) => total_physical_size),
  gauge(
    'Heap, executable',
    'bytes',
    ({ heap: { total_heap_size_executable } }) => total_heap_size_executable,
  ),
  gauge('Heap, still allowed', 'bytes', ({ heap: { total_available_size } }) => total_available_size),
  gauge('V8, allocated itself', 'bytes', ({ heap: { malloced_memory } }) => malloced_memory),
  gauge('V8, contexts', 'count', ({ heap: { number_of_native_contexts } }) => number_of_native_contexts),
  gauge('V8, handles in use', 'bytes', ({ heap: { used_global_handles_size } }) => used_global_handles_size),
  gauge('V8, handles', 'bytes', ({ heap: { total_global_handles_size } }) => total_global_handles_size),
  used('New objects', 'new_space'),
  used('Old objects', 'old_space'),
  used('Code', 'code_space'),
  used('Large objects', 'large_object_space'),
  used('New large objects', 'new_large_object_space'),
  used('Trusted objects', 'trusted_space'),
  free('Room for new objects', 'new_space'),
]

const diptych: readonly Gauge[] = [
  gauge('Sessions', 'count', ({ measured }) => measured.sessions()),
  ...transportNames.map((id) =>
    gauge(`Links, ${transportLabels[id]}`, 'count', ({ measured }) => measured.links().get(id) ?? 0),
  ),
  gauge('Edits now', 'per second', ({ since, seconds }) => since.edits / seconds),
  gauge('Commits now', 'per second', ({ since, seconds }) => since.commits / seconds),
  gauge('Edits in all', 'count', ({ measured }) => measured.counts.edits),
  gauge('Commits in all', 'count', ({ measured }) => measured.counts.commits),
  gauge('Commits refused', 'count', ({ measured }) => measured.counts.storeFailures),
  gauge('Readers that lagged', 'count', ({ measured }) => measured.counts.lags),
  gauge('Windows compared anew', 'count', ({ measured }) => sum(measured.counts.resyncs)),
  gauge('Refusals', 'count', ({ measured }) => sum(measured.counts.refusals)),
  gauge('Answers waiting here', 'count', ({ measured }) => measured.parked()),
]

const machine: readonly Gauge[] = [
  gauge('Load, 1 minute', 'count', ({ load }) => load[0] ?? 0),
  gauge('Load, 15 minutes', 'count', ({ load }) => load[2] ?? 0),
  gauge('Free memory', 'bytes', ({ freeMemory }) => freeMemory),
]

export const gauges: readonly Gauge[] = [...process, ...heap, ...diptych, ...machine]
