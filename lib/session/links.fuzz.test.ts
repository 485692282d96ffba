import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CloseCode } from '../protocol/close.ts'
import { networkTransports } from '../transports/descriptors.ts'
import { TransportError } from '../transports/transport.ts'
import {
  ACCEPTS,
  ACCEPTS_THEN_DROPS,
  type Behaviour,
  HANGS,
  HOLDS_BACK,
  OPENS_AFTER,
  PROOF,
  REFUSES,
} from './fixtures/fake-transports.ts'
import { LinksFixture } from './fixtures/links-fixture.ts'
import { settle } from '../fixtures/wait.ts'

const RUNS = 300

const behaviours: readonly Behaviour[] = [
  ACCEPTS,
  ACCEPTS,
  ACCEPTS_THEN_DROPS(50),
  HANGS,
  HOLDS_BACK,
  OPENS_AFTER(1_500, ACCEPTS),
  REFUSES(403),
  REFUSES(503, 'overloaded', 2_000),
]

const choices = [...networkTransports, 'automatic'] as const
const codes: readonly CloseCode[] = ['lost', 'going-away', 'bad-frame', 'handed-over', 'not-offered']

type Action = (fixture: LinksFixture) => void

/** An attempt may fail. Any other error is left unhandled, and fails the test. */
function expectTransportError(error: unknown): void {
  if (!(error instanceof TransportError)) throw error
}

const openLinks = ({ transports }: LinksFixture) =>
  networkTransports.flatMap((id) => transports[id].links.filter(({ isOpen }) => isOpen))

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom<Action>(
    ({ links }) => links.skipWait(),
    ({ links }) => links.tryNow(),
    ({ links }) => links.onNetworkChange(),
    ({ links }) => links.reopenWithPosts(),
    ({ links }) => links.closeDraining(),
    ({ links }) => void links.reopen().catch(expectTransportError),
    (fixture) => openLinks(fixture).at(-1)?.sendFromServer(PROOF),
    ({ links }) => links.current && links.onDrained(links.current),
  ),
  fc.constantFrom(...choices).map(
    (choice): Action =>
      ({ links }) =>
        void links.switchTo(choice).catch(expectTransportError),
  ),
  fc.subarray([...networkTransports]).map(
    (offers): Action =>
      ({ links }) =>
        links.onOffers(offers.length > 0 ? offers : null),
  ),
  fc.tuple(fc.constantFrom(...codes), fc.nat(2)).map(
    ([code, which]): Action =>
      (fixture) =>
        openLinks(fixture)
          .at(-1 - which)
          ?.drop({ code }),
  ),
)

const steps = fc.array(fc.tuple(actions, fc.constantFrom(null, 0, 40, 2_000, 11_000)), { maxLength: 40 })

/** Every attempt of a transport draws the next behaviour. */
function drawing(drawn: readonly number[]): Behaviour {
  let attempts = 0
  return (attempt) => behaviours[drawn[attempts++ % drawn.length]!]!(attempt)
}

test('no run meets an event that its state has no cell for, and a stop leaves nothing behind', async () => {
  const drawn = fc.array(fc.nat(behaviours.length - 1), { minLength: 1, maxLength: 5 })
  const count = networkTransports.length
  const drawnOfEach = fc.array(drawn, { minLength: count, maxLength: count })
  await fc.assert(
    fc.asyncProperty(drawnOfEach, steps, async (all, run) => {
      const fixture = new LinksFixture(
        Object.fromEntries(networkTransports.map((id, index) => [id, drawing(all[index]!)])),
      )
      const startAfter = run.length % 3 // A choice may come before the start.
      for (const [index, [act, ms]] of run.entries()) {
        if (index === startAfter) fixture.links.start()
        act(fixture)
        if (ms !== null) await fixture.clock.pass(ms)
        const { current } = fixture.links
        expect(openLinks(fixture).some(({ info }) => info === current?.info)).toBe(current !== null)
      }
      for (let time = 0; time < 2; time++) fixture.links.stop({ code: 'done' })
      await settle()
      await fixture.clock.pass(60_000)
      expect([openLinks(fixture), fixture.clock.timers]).toEqual([[], 0])
    }),
    { numRuns: RUNS },
  )
})
