import { expect, test } from 'vitest'
import type { LinkInfo } from '../transports/transport.ts'
import { apart } from './by-link.ts'
import type { Timeline } from './state.ts'

const websocket: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }
const poll: LinkInfo = { transport: 'poll', protocol: 'h2', up: 'batched posts' }
const slowed: LinkInfo = { ...websocket, simulated: true }

const edits = (...links: (LinkInfo | undefined)[]): readonly Timeline[] =>
  links.map((link, index) => ({
    edit: index + 1,
    key: index,
    by: 'input',
    made: 0,
    arrivals: [],
    ...(link && { link }),
  }))

const split = (timelines: readonly Timeline[], link: LinkInfo | undefined) => {
  const { inUse, earlier } = apart(timelines, link)
  return [inUse.map(({ edit }) => edit), earlier.map((one) => [one.link, one.timelines.length])]
}

test('edits by another transport, or over the real network while it is simulated, are told apart', () => {
  const typed = edits(poll, websocket, slowed, poll, slowed, undefined)
  expect(split(typed, slowed)).toEqual([
    [3, 5, 6],
    [
      [poll, 2],
      [websocket, 1],
    ],
  ])
})

test('a protocol that the browser told late makes no other link', () => {
  expect(split(edits({ ...poll, protocol: '' }, poll), poll)).toEqual([[1, 2], []])
})

test('without a link the latest that an edit left by counts; where none has left, all wait for it', () => {
  expect(split(edits(websocket, poll, undefined), undefined)).toEqual([[2, 3], [[websocket, 1]]])
  expect(split(edits(undefined, undefined), undefined)).toEqual([[1, 2], []])
  expect(split([], websocket)).toEqual([[], []])
})
