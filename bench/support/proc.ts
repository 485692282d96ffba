/** What the kernel says of a process: its time on processors, and its memory. Linux only. */
import { readFile } from 'node:fs/promises'

export interface Usage {
  /** User and system time of all threads since the start, in ms; the kernel tells it in steps of 10. */
  readonly cpuMs: number
  readonly residentKiB: number
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** @throws {Error} when there is no such process any more. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  )
  return { cpuMs: cpuMsIn(stat!), residentKiB: Number(/^VmRSS:\s+(\d+)/m.exec(status!)?.[1]) }
}

/** The second field is the program's name in brackets, which may hold anything; proc_pid_stat(5). */
function cpuMsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
