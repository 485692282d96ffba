import { expect, test } from 'vitest'
import { awaitOutput, startChild } from '../../server/fixtures/child-process.ts'
import { cpuOfFamily, usageOf } from './proc.ts'

test('a process counts with its children, those that have ended among them', async () => {
  const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
  // The first child has ended, the second is there still.
  await using shell = startChild('sh', ['-c', `(${busy}); (${busy}; echo ready; sleep 60) & wait`])
  await awaitOutput(shell, /ready/)
  const pid = shell.process.pid!
  const [own, family] = [await usageOf(pid), await cpuOfFamily(pid)]
  expect(family).toBeGreaterThan(own.cpuMs + 20)
})
