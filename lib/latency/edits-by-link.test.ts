import { expect, test } from 'vitest'
import type { LinkInfo } from '../transports/transport.ts'
import { splitByLink } from './edits-by-link.ts'
import type { EditTimeline } from './latency-state.ts'

const websocket: LinkInfo = { transport: 'websocket', protocol: 'h2', up: 'frames' }
const poll: LinkInfo = { transport: 'poll', protocol: 'h2', up: 'batched posts' }
const simulatedWebsocket: LinkInfo = { ...websocket, simulated: true }

const edits = (...links: (LinkInfo | undefined)[]): readonly EditTimeline[] =>
  links.map((link, index) => ({
    edit: index + 1,
    key: index,
    by: 'input',
    made: 0,
    arrivals: [],
    ...(link && { link }),
  }))

const splitEdits = (timelines: readonly EditTimeline[], link: LinkInfo | undefined) => {
  const { inUse, earlier } = splitByLink(timelines, link)
  return [inUse.map(({ edit }) => edit), earlier.map((one) => [one.link, one.timelines.length])]
}

test('edits by another transport, or over the real network while it is simulated, form another group', () => {
  const typed = edits(poll, websocket, simulatedWebsocket, poll, simulatedWebsocket, undefined)
  expect(splitEdits(typed, simulatedWebsocket)).toEqual([
    [3, 5, 6],
    [
      [poll, 2],
      [websocket, 1],
    ],
  ])
})

test('a protocol that the browser reported late makes no other link', () => {
  expect(splitEdits(edits({ ...poll, protocol: '' }, poll), poll)).toEqual([[1, 2], []])
})

test('without a link the latest that an edit left by counts; where none has left, all count for the next link', () => {
  expect(splitEdits(edits(websocket, poll, undefined), undefined)).toEqual([[2, 3], [[websocket, 1]]])
  expect(splitEdits(edits(undefined, undefined), undefined)).toEqual([[1, 2], []])
  expect(splitEdits([], websocket)).toEqual([[], []])
})
