/** One look at the process, the machine and what the server counts; and what changed since the look before. */
import { freemem, loadavg } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import type { Measured as Counted } from '../metrics/registry.ts'

export interface Measured extends Counted {
  /** Answers of the lab that wait. */
  parked(): number
}

export interface Look {
  readonly seconds: number
  readonly memory: NodeJS.MemoryUsage
  readonly cpu: NodeJS.CpuUsage
  readonly busy: number
  /** Of the event loop, in ms. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly heap: ReturnType<typeof getHeapStatistics>
  /** Bytes in use and free, by the name of the space. */
  readonly spaces: ReadonlyMap<string, { readonly used: number; readonly free: number }>
  readonly usage: NodeJS.ResourceUsage
  /** Of each since the look before. */
  readonly since: { readonly usage: NodeJS.ResourceUsage; readonly edits: number; readonly commits: number }
  readonly measured: Measured
  readonly load: readonly number[]
  readonly freeMemory: number
}

/** The monitor's own timer, in ms: what it adds is taken off. */
const RESOLUTION_MS = 10

export class Meter {
  readonly #measured: Measured
  readonly #delays: ReturnType<typeof monitorEventLoopDelay>
  #at = performance.now()
  #cpu = process.cpuUsage()
  #busy = performance.eventLoopUtilization()
  #usage = process.resourceUsage()
  #edits: number
  #commits: number

  constructor(measured: Measured) {
    this.#measured = measured
    this.#edits = measured.counts.edits
    this.#commits = measured.counts.commits
    this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    this.#delays.enable()
  }

  read(): Look {
    const at = performance.now()
    const busy = performance.eventLoopUtilization()
    const usage = process.resourceUsage()
    const { counts } = this.#measured
    const look: Look = {
      seconds: Math.max(0.001, (at - this.#at) / 1000),
      memory: process.memoryUsage(),
      cpu: process.cpuUsage(this.#cpu),
      busy: performance.eventLoopUtilization(busy, this.#busy).utilization,
      delay: this.#delay(),
      heap: getHeapStatistics(),
      spaces: new Map(getHeapSpaceStatistics().map((space) => [space.space_name, bytesOf(space)])),
      usage,
      since: {
        usage: this.#usage,
        edits: counts.edits - this.#edits,
        commits: counts.commits - this.#commits,
      },
      measured: this.#measured,
      load: loadavg(),
      freeMemory: freemem(),
    }
    this.#at = at
    this.#cpu = process.cpuUsage()
    this.#busy = busy
    this.#usage = usage
    this.#edits = counts.edits
    this.#commits = counts.commits
    return look
  }

  close(): void {
    this.#delays.disable()
  }

  #delay(): Look['delay'] {
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
    const { count } = this.#delays
    const [p50, p99, max] = [this.#delays.percentile(50), this.#delays.percentile(99), this.#delays.max]
    this.#delays.reset()
    return count === 0 ? { p50: 0, p99: 0, max: 0 } : { p50: ms(p50), p99: ms(p99), max: ms(max) }
  }
}

const bytesOf = (space: ReturnType<typeof getHeapSpaceStatistics>[number]) => ({
  used: space.space_used_size,
  free: space.space_available_size,
})
