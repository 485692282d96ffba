import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { cpuOfFamily, usageOf } from './proc.ts'

test('a process counts with its children, those that have ended among them', async () => {
  const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
  // The first child has ended, the second is there still.
  const script = `(${busy}); (${busy}; echo ready; read -r line) & wait`
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    await once(shell.stdout, 'data')
    const [own, family] = [await usageOf(shell.pid!), await cpuOfFamily(shell.pid!)]
    expect(family).toBeGreaterThan(own.cpuMs + 20)
  } finally {
    shell.kill('SIGKILL')
  }
})
