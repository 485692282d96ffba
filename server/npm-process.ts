/**
 * Notices that the npm which runs a program is gone. npm puts a shell in between, which waits on when npm is killed, so the program would
 * go on without anybody knowing its process. Only Linux tells who an ancestor is; elsewhere nothing is noticed.
 */
import { readFileSync } from 'node:fs'

const CHECK_MS = 500

/** Does nothing for a program that npm does not run. */
export function watchNpm(onGone: () => void): void {
  const shell = process.ppid
  const npm = [shell, parentOf(shell)].find(isNpm)
  if (npm === undefined) return
  const timer = setInterval(() => {
    if (isNpm(npm)) return
    clearInterval(timer)
    onGone()
  }, CHECK_MS)
}

/** npm names its process after its command. */
const isNpm = (pid: number): boolean => /^npm\b/.test(readFileOf(pid, 'comm'))

const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)$/m.exec(readFileOf(pid, 'status'))?.[1] ?? 0)

function readFileOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
