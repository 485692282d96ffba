/** Reads a process's CPU time and memory from /proc, which Linux alone has. */
import { readdir, readFile } from 'node:fs/promises'

export interface ProcessUsage {
  /** User and system time of all threads since the start, in ms, in the kernel's steps of 10. */
  readonly cpuMs: number
  readonly residentKiB: number
  /** The CPU time of programs that the server needs, in ms since their start: `{ postgres: 120 }`. */
  readonly besideCpuMs?: Readonly<Record<string, number>>
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** @throws {Error} when the process has ended. */
export async function readUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  )
  return { cpuMs: readStat(stat!).cpuMs, residentKiB: Number(/^VmRSS:\s+(\d+)/m.exec(status!)?.[1]) }
}

/** Returns the CPU time of a process and its children, also of those that have ended, in ms. */
export async function readFamilyCpu(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // A process may end meanwhile.
  const read = (name: string) => readFile(`/proc/${name}/stat`, 'utf8').then(readStat, () => undefined)
  const all = (await Promise.all(names.map(read))).filter((stat) => stat !== undefined)
  return all
    .filter((stat) => stat.pid === pid || stat.parent === pid)
    .reduce((sum, stat) => sum + stat.cpuMs + (stat.pid === pid ? stat.endedChildrenCpuMs : 0), 0)
}

/** Reads behind the program's name, which is in brackets and may hold anything; proc_pid_stat(5) numbers the fields. */
function readStat(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ms = (at: number): number => Number(fields[at]) * TICK_MS
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    cpuMs: ms(11) + ms(12),
    endedChildrenCpuMs: ms(13) + ms(14),
  }
}
