import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { readFamilyCpu, readUsage } from './process-usage.ts'

test('a process counts with its children, those that have ended among them', async () => {
  const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
  // The first child has ended; the second is there until the test closes its input, which a shell keeps from what runs beside it.
  const script = `exec 3<&0; (${busy}); (${busy}; echo ready; read -r line <&3) & wait`
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    await once(shell.stdout, 'data')
    const [own, family] = [await readUsage(shell.pid!), await readFamilyCpu(shell.pid!)]
    expect(family).toBeGreaterThan(own.cpuMs + 20)
  } finally {
    shell.stdin.destroy()
    shell.kill('SIGKILL')
  }
})

test('a process that works takes processor time and memory, as the kernel tells', async () => {
  const before = await readUsage(process.pid)
  // Time of this process, not of the clock: however busy the machine is. The kernel counts in hundredths of a second.
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user < user + 100_000) Math.sqrt(Math.random())
  const after = await readUsage(process.pid)
  expect(after.cpuMs).toBeGreaterThan(before.cpuMs)
  expect(after.residentKiB * 1024).toBeGreaterThan(process.memoryUsage().heapUsed)
  await expect(readUsage(2 ** 22 + 1)).rejects.toThrow('ENOENT')
})
