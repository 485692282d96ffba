/** What the kernel says of a process: its time on processors, and its memory. Linux only. */
import { readdir, readFile } from 'node:fs/promises'

export interface Usage {
  /** User and system time of all threads since the start, in ms; the kernel tells it in steps of 10. */
  readonly cpuMs: number
  readonly residentKiB: number
  /** What programs that it cannot do without took since their start, in ms: `{ postgres: 120 }`. */
  readonly besideCpuMs?: Readonly<Record<string, number>>
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** @throws {Error} when there is no such process any more. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  )
  return { cpuMs: readStat(stat!).cpuMs, residentKiB: Number(/^VmRSS:\s+(\d+)/m.exec(status!)?.[1]) }
}

/** CPU time in ms of a process and its children, those that have ended among them. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // A process may end meanwhile.
  const read = (name: string) => readFile(`/proc/${name}/stat`, 'utf8').then(readStat, () => undefined)
  const all = (await Promise.all(names.map(read))).filter((stat) => stat !== undefined)
  return all
    .filter((stat) => stat.pid === pid || stat.parent === pid)
    .reduce((sum, stat) => sum + stat.cpuMs + (stat.pid === pid ? stat.endedChildrenCpuMs : 0), 0)
}

/** The second field is the program's name in brackets, which may hold anything; proc_pid_stat(5). */
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
