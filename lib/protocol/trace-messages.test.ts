import { expect, test } from 'vitest'
import { MAX_TRACE_BYTES } from './limits.ts'
import {
  encodeClientMessage,
  encodeServerMessage,
  readClientMessages,
  readServerMessages,
} from './message.ts'
import { ProtocolError } from './wire.ts'

test('[A6] a trace has a limit, which the refusal names', () => {
  const of = (length: number) =>
    ({ type: 'trace', channel: 1, client: 0, bytes: new Uint8Array(length) }) as const
  expect(readClientMessages(encodeClientMessage(of(MAX_TRACE_BYTES)))).toHaveLength(1)
  const long = of(MAX_TRACE_BYTES + 1)
  expect(() => readClientMessages(encodeClientMessage(long))).toThrow(/MAX_TRACE_BYTES/)
  expect(() => readServerMessages(encodeServerMessage(long))).toThrow(ProtocolError)
})
