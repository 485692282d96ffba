import { expect, test } from 'vitest'
import { runReconnectStorm } from './reconnect-storm.ts'

test('[S8] 200 clients reconnect after a restart: all have the same text, none failed', async () => {
  const { clients, returned, tokens, lost, doubled } = await runReconnectStorm({
    seed: 1,
    clients: 200,
    end: 'restarted',
  })
  expect(returned).toHaveLength(clients)
  expect({ tokens, lost, doubled }).toEqual({ tokens: 400, lost: 0, doubled: 0 })
}, 240_000)
