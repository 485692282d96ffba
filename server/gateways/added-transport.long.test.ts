/** Adds a transport as a developer would: a client with a line in one registry, a gateway with a line in the other. */
import { describe, expect, test, vi } from 'vitest'
import { transportExplanation, transportNameOf } from '../../components/connection/connection-text.ts'
import { chooseTransport, offeredOf } from '../../lib/transports/choose-transport.ts'
import { networkTransports } from '../../lib/transports/descriptors.ts'
import { emptyKnowledge } from '../../lib/transports/evidence.ts'
import { readNetworkConditions, NO_CONDITIONS } from '../../lib/transports/network-conditions.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { openRecordedLink } from '../../lib/transports/fixtures/recording-sink.ts'
import type * as TransportRegistry from '../../lib/transports/registry.ts'
import { transports } from '../../lib/transports/registry.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { transportChoices } from '../../lib/windows/window-requests.ts'
import { readConfig } from '../config.ts'
import { allRoutes, RealServer } from '../fixtures/real-server.ts'
import { addedTransport } from './fixtures/added-transport.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import type * as GatewayRegistry from './registry.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { describeVariantsOf } from './fixtures/transport-variants.ts'

vi.mock('../../lib/transports/registry.ts', async (importOriginal) => {
  const registry = await importOriginal<typeof TransportRegistry>()
  const { addedTransport: added } = await import('./fixtures/added-transport.ts')
  return {
    transportDescriptors: { ...registry.transportDescriptors, [added.id]: added },
    transports: new Map([...registry.transports, [added.id, added]]),
  }
})

vi.mock('./registry.ts', async (importOriginal) => {
  const registry = await importOriginal<typeof GatewayRegistry>()
  const { addedTransport: added, createAddedGateway } = await import('./fixtures/added-transport.ts')
  return { transportGateways: { ...registry.transportGateways, [added.id]: createAddedGateway } }
})

const { id, label, explanation, linkPath } = addedTransport

describe('[T4] a transport that is added', () => describeVariantsOf(id))

describe('a transport that is added', () => {
  test('is the last by preference, and is chosen by a pin or where nothing else is offered', () => {
    const supported = [...transports.keys()]
    expect(supported).toEqual([...networkTransports])
    expect(supported.at(-1)).toBe(id)
    const knowledge = { ...emptyKnowledge, offers: [id] }
    expect(offeredOf({ supported, knowledge })).toEqual([id])
    expect(chooseTransport({ wanted: 'automatic', supported, knowledge }).transport).toBe(id)
    expect(chooseTransport({ wanted: id, supported, knowledge: emptyKnowledge }).transport).toBe(id)
  })

  test('is a value of the setting, offered by default', () => {
    expect(readConfig({}).transports).toContain(id)
    expect(readConfig({ TRANSPORTS: id }).transports).toEqual([id])
    expect(() => readConfig({ TRANSPORTS: 'pigeon' })).toThrow(id)
  })

  test('has its words on screen, can be asked for by another window and blocked by the simulator', () => {
    expect([transportNameOf(id), transportLabels[id], transportExplanation(id)]).toEqual([
      label,
      label,
      explanation,
    ])
    expect(transportChoices).toContain(id)
    expect(readNetworkConditions({ ...NO_CONDITIONS, blocked: [id] })?.blocked).toEqual([id])
  })

  test('is tested on every route, and counted by the limit of new links', () => {
    expect(allRoutes).toContainEqual({ transport: id, scheme: 'https' })
    const routes = createTransportGateways({ access: null!, sessions: null! }).flatMap(
      ({ requests = [] }) => requests,
    )
    expect(routes.find(({ path }) => path === linkPath)?.admission).toBe('new link')
  })

  test('is refused as not offered where a server leaves it out', async () => {
    await using server = await startGateways(['poll'])
    const opening = openRecordedLink({ transport: addedTransport, target: targetOf(server.http) })
    await expect(opening).rejects.toMatchObject({ reason: { code: 'not-offered' } })
  })

  test('[S4] carries a session to which a person switches', async () => {
    await using server = await RealServer.start()
    const shared = await server.createDocument()
    const opened = server.openDocument(shared, { transport: 'websocket', scheme: 'https' })
    await opened.whenSynced
    await opened.switchTransport(id)
    opened.doc.getText('title').insert(0, 'by a new way')
    await opened.whenSaved()
    expect([opened.transport?.transport, opened.status.get().offered]).toEqual([id, [...networkTransports]])
    await opened.close()
  })
})

const targetOf = (origin: string) => ({ origin, net: createNet({ insecure: true }), token: 'a' })

async function startGateways(offeredTransports: ['poll']) {
  const server = await GatewayTestServer.start((parts) =>
    createTransportGateways(parts, { offeredTransports }),
  )
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() })
}
