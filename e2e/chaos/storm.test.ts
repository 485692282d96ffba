import { expect, test } from 'vitest'
import { storm } from './storm.ts'

test('[S8] 200 clients reconnect after a restart: all in step, none failed', async () => {
  const { clients, returned } = await storm({ seed: 1, clients: 200, end: 'restarted' })
  expect(returned).toHaveLength(clients)
}, 240_000)
