/** The table of message kinds in docs/PROTOCOL.md agrees with the codecs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientMessages, serverMessages } from '../lib/protocol/fixtures/messages.ts'
import {
  type ClientMessage,
  encodeClientMessage,
  encodeServerMessage,
  type ServerMessage,
} from '../lib/protocol/message.ts'
import { createDecoder, readNumber } from '../lib/protocol/wire.ts'

const kindOf = (encoded: Uint8Array): number => readNumber(createDecoder(encoded))

const sampleOf = <M>(arbitrary: fc.Arbitrary<M>): M => fc.sample(arbitrary, 1)[0]!

test('docs/PROTOCOL.md lists each kind of message with its sender and name, and no other', () => {
  const text = readFileSync(join(import.meta.dirname, 'PROTOCOL.md'), 'utf8')
  const rows = [...text.matchAll(/^\| ([\d, ]+?) *\| (client|server|both) *\| ([a-z, ]+?) *\|/gm)]
  const listed = rows.flatMap(([, kinds, from, names]) =>
    (from === 'both' ? ['client', 'server'] : [from]).flatMap((sender) =>
      kinds!.split(', ').map((kind, index) => `${kind} ${sender} ${names!.split(', ')[index]}`),
    ),
  )
  const encoded = [
    ...Object.values<fc.Arbitrary<ClientMessage>>(clientMessages)
      .map(sampleOf)
      .map((message) => `${kindOf(encodeClientMessage(message))} client ${message.type}`),
    ...Object.values<fc.Arbitrary<ServerMessage>>(serverMessages)
      .map(sampleOf)
      .map((message) => `${kindOf(encodeServerMessage(message))} server ${message.type}`),
  ]
  expect(listed.toSorted()).toEqual(encoded.toSorted())
})
