/** Reads the state of the process, the machine and the server's counts, and what changed since the reading before. */
import { freemem, loadavg } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import type { MetricsSource } from '../metrics/metrics-registry.ts'

export interface LabMetricsSource extends Omit<MetricsSource, 'storeKind'> {
  /** Returns how many answers of the lab wait. */
  waitingCount(): number
}

export interface ServerReading {
  readonly seconds: number
  readonly memory: NodeJS.MemoryUsage
  readonly cpu: NodeJS.CpuUsage
  readonly busy: number
  /** The delay of the event loop, in ms. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly heap: ReturnType<typeof getHeapStatistics>
  /** Bytes in use and free, by the name of the heap space. */
  readonly spaces: ReadonlyMap<string, { readonly used: number; readonly free: number }>
  readonly usage: NodeJS.ResourceUsage
  /** Values at, or changes since, the reading before. */
  readonly since: { readonly usage: NodeJS.ResourceUsage; readonly edits: number; readonly commits: number }
  readonly measured: LabMetricsSource
  readonly load: readonly number[]
  readonly freeMemory: number
}

/** The interval of the monitor's own timer, in ms; it is subtracted from what the monitor measures. */
const RESOLUTION_MS = 10

export class ServerMeter {
  readonly #source: LabMetricsSource
  readonly #eventLoopDelays: ReturnType<typeof monitorEventLoopDelay>
  #lastReadAt = performance.now()
  #lastCpu = process.cpuUsage()
  #lastUtilization = performance.eventLoopUtilization()
  #lastUsage = process.resourceUsage()
  #lastEdits: number
  #lastCommits: number

  constructor(source: LabMetricsSource) {
    this.#source = source
    this.#lastEdits = source.counts.edits
    this.#lastCommits = source.counts.commits
    this.#eventLoopDelays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    this.#eventLoopDelays.enable()
  }

  read(): ServerReading {
    const at = performance.now()
    const busy = performance.eventLoopUtilization()
    const usage = process.resourceUsage()
    const { counts } = this.#source
    const reading: ServerReading = {
      seconds: Math.max(0.001, (at - this.#lastReadAt) / 1000),
      memory: process.memoryUsage(),
      cpu: process.cpuUsage(this.#lastCpu),
      busy: performance.eventLoopUtilization(busy, this.#lastUtilization).utilization,
      delay: this.#readDelay(),
      heap: getHeapStatistics(),
      spaces: new Map(getHeapSpaceStatistics().map((space) => [space.space_name, spaceBytes(space)])),
      usage,
      since: {
        usage: this.#lastUsage,
        edits: counts.edits - this.#lastEdits,
        commits: counts.commits - this.#lastCommits,
      },
      measured: this.#source,
      load: loadavg(),
      freeMemory: freemem(),
    }
    this.#lastReadAt = at
    this.#lastCpu = process.cpuUsage()
    this.#lastUtilization = busy
    this.#lastUsage = usage
    this.#lastEdits = counts.edits
    this.#lastCommits = counts.commits
    return reading
  }

  close(): void {
    this.#eventLoopDelays.disable()
  }

  #readDelay(): ServerReading['delay'] {
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    const { count } = this.#eventLoopDelays
    const [p50, p99, max] = [
      this.#eventLoopDelays.percentile(50),
      this.#eventLoopDelays.percentile(99),
      this.#eventLoopDelays.max,
    ]
    this.#eventLoopDelays.reset()
    return count === 0 ? { p50: 0, p99: 0, max: 0 } : { p50: ms(p50), p99: ms(p99), max: ms(max) }
  }
}

const spaceBytes = (space: ReturnType<typeof getHeapSpaceStatistics>[number]) => ({
  used: space.space_used_size,
  free: space.space_available_size,
})
