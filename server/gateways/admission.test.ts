/** Every route of every gateway, and every reason to refuse its caller. A route or a kind of admission without a row does not pass. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { networkTransports, ownPathsOf, transportDescriptors } from '../../lib/transports/descriptors.ts'
import type { AccessRefusal } from '../access/access.ts'
import { httpClients } from '../fixtures/http-clients.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import type { Gateway, GatewayDependencies, RequestRoute } from './gateway.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { createStockGateway } from './y-websocket.ts'

/** The rooms of a test in which nobody may come as far as a room. */
const noRooms = new Proxy({} as Rooms, {
  get: () => () => Promise.reject(new Error('A refused caller came as far as a room.')),
})

const createGateways = (dependencies: GatewayDependencies): Gateway[] => [
  ...createTransportGateways(dependencies),
  createStockGateway({ ...dependencies, rooms: noRooms }),
]

type Kind = RequestRoute['admission'] | 'WebSocket'

const kindByPath: Readonly<Record<string, Kind>> = {
  '/sync/websocket': 'WebSocket',
  '/sync/sse/ticket': 'new link',
  '/sync/sse': 'ticket',
  '/sync/stream': 'new link',
  '/sync/long-poll': 'new link',
  '/sync/poll': 'new link',
  '/sync/poll/next': 'open link',
  '/sync/up': 'open link',
  '/sync/farewell': 'new link',
  '/yjs/a-document': 'WebSocket',
  '/yjs/a-document/ticket': 'new link',
}

const gateways = createGateways({ access: null!, sessions: null! })
const requestRoutes = gateways.flatMap(({ requests = [] }) => requests)
const webSocketRoutes = gateways.flatMap(({ webSockets = [] }) => webSockets)

/** A path of the table for a route that has a pattern. */
const pathOf = ({ path }: { path: string | RegExp }): string =>
  typeof path === 'string' ? path : Object.keys(kindByPath).find((one) => path.test(one))!

test('the table has a row for each route', () => {
  const declared = [
    ...requestRoutes.map((route) => [pathOf(route), route.admission]),
    ...webSocketRoutes.map((route) => [pathOf(route), 'WebSocket']),
  ]
  expect(Object.fromEntries(declared)).toEqual(kindByPath)
})

test('[A6] the path by which a transport opens a link is limited and drained', () => {
  for (const id of networkTransports)
    expect(['new link', 'WebSocket']).toContain(kindByPath[transportDescriptors[id].linkPath])
})

interface Outcome {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly retryAfter: string | undefined
}

interface Situation {
  readonly isOverLimit?: boolean
  readonly isDraining?: boolean
  readonly headers: Record<string, string>
  /** What each kind of route answers. `passes`: this reason does not count there, and the route itself refuses the empty request. */
  readonly outcomes: Readonly<Record<Kind, readonly [status: number, code: string, retryAfter?: string]>>
}

const caller = { authorization: 'Bearer a' }
const foreign = { origin: 'https://evil.example' }
/** Nothing of the kind is checked: the route itself finds neither a ticket nor the link's name. */
const unchecked = { ticket: [403, 'ticket'], 'open link': [400, 'bad-frame'] } as const

const situations: Readonly<Record<string, Situation>> = {
  '[A6] too many links from one address': {
    isOverLimit: true,
    headers: caller,
    outcomes: { 'new link': [429, 'too-many', '10'], WebSocket: [429, 'too-many', '10'], ...unchecked },
  },
  '[S8] draining': {
    isDraining: true,
    headers: caller,
    outcomes: { 'new link': [503, 'going-away', '1'], WebSocket: [503, 'going-away', '1'], ...unchecked },
  },
  '[A1] a foreign page with a token': {
    headers: { ...caller, ...foreign },
    outcomes: {
      'new link': [403, 'origin'],
      WebSocket: [403, 'origin'],
      ticket: [403, 'ticket'],
      'open link': [403, 'origin'],
    },
  },
  '[A1] a foreign page with a cookie': {
    headers: { cookie: 'session=1', ...foreign },
    outcomes: {
      'new link': [403, 'origin'],
      WebSocket: [403, 'origin'],
      ticket: [403, 'ticket'],
      'open link': [403, 'origin'],
    },
  },
  '[A2] a page of ours without credentials': {
    headers: { origin: 'https://127.0.0.1:1' },
    outcomes: { 'new link': [401, 'sign-in'], WebSocket: [401, 'sign-in'], ...unchecked },
  },
  'all at once: the cheapest comes first': {
    isOverLimit: true,
    isDraining: true,
    headers: { cookie: 'session=1' },
    outcomes: {
      'new link': [429, 'too-many', '10'],
      WebSocket: [429, 'too-many', '10'],
      ticket: [403, 'ticket'],
      'open link': [403, 'origin'],
    },
  },
}

describe('a refused caller', () => {
  let server: GatewayTestServer
  let isOverLimit = false
  const tooManyRefusal: AccessRefusal = { status: 429, code: 'too-many', message: 'Wait.', retryAfterS: 10 }
  beforeAll(async () => {
    const rateLimits = { takeLink: () => (isOverLimit ? tooManyRefusal : null) }
    server = await GatewayTestServer.start(createGateways, rateLimits)
  })
  beforeEach(() => {
    isOverLimit = server.draining = false
  })
  afterAll(async () => {
    expect(server.acceptor.links).toEqual([])
    await server.close()
  })

  const arrange = (situation: Situation): void => {
    isOverLimit = situation.isOverLimit ?? false
    server.draining = situation.isDraining ?? false
  }

  describe.each(Object.entries(situations))('%s', (_name, situation) => {
    const expectedOf = (kind: Kind): Outcome => {
      const [status, code, retryAfter] = situation.outcomes[kind]
      return { status, code, retryAfter }
    }

    test.each(requestRoutes.map((route) => [route.method, pathOf(route), route] as const))(
      '%s %s',
      async (method, path, { admission }) => {
        arrange(situation)
        for (const sendRequest of Object.values(httpClients)) {
          const answer = await sendRequest(server, path, { method, headers: situation.headers })
          expect(outcomeOf(answer.status, answer.headers, String(answer.body))).toEqual(expectedOf(admission))
        }
      },
    )

    test.each(webSocketRoutes.map(pathOf))('upgrade and extended CONNECT to %s', async (path) => {
      arrange(situation)
      for (const open of [refusalOfUpgrade, refusalOfConnect])
        expect(await open(server, path, situation.headers)).toEqual(expectedOf('WebSocket'))
    })
  })

  test.each(requestRoutes.map((route) => [pathOf(route), route.method]))(
    '[A6] by a wrong method at %s learns the right one',
    async (path, method) => {
      for (const sendRequest of Object.values(httpClients)) {
        const wrongMethod = method === 'GET' ? 'POST' : 'GET'
        const answer = await sendRequest(server, path, { method: wrongMethod, headers: caller })
        expect([answer.status, answer.headers.allow]).toEqual([405, method])
      }
    },
  )

  test.each(webSocketRoutes.map(pathOf))(
    '[A6] by a plain request at %s learns to upgrade, by HTTP/2 without the header that it forbids',
    async (path) => {
      for (const [protocol, sendRequest] of Object.entries(httpClients)) {
        const answer = await sendRequest(server, path, { headers: caller })
        expect([answer.status, answer.headers.upgrade]).toEqual([
          426,
          protocol === 'h2' ? undefined : 'websocket',
        ])
      }
    },
  )
})

describe('a transport that is not offered', () => {
  let server: GatewayTestServer
  beforeAll(async () => {
    server = await GatewayTestServer.start((dependencies) =>
      createTransportGateways(dependencies, { offeredTransports: [] }),
    )
  })
  afterAll(() => server.close())

  test.each(networkTransports.flatMap(ownPathsOf))('refuses each form of request at %s', async (path) => {
    const notOffered = { status: 404, code: 'not-offered' }
    for (const method of ['GET', 'POST'])
      for (const sendRequest of Object.values(httpClients)) {
        const answer = await sendRequest(server, path, { method, headers: caller })
        expect(outcomeOf(answer.status, answer.headers, String(answer.body))).toMatchObject(notOffered)
      }
    for (const open of [refusalOfUpgrade, refusalOfConnect])
      expect(await open(server, path, caller)).toMatchObject(notOffered)
  })
})

function outcomeOf(
  status: number | undefined,
  headers: Record<string, string | string[] | undefined>,
  body: string,
): Outcome {
  const { error } = JSON.parse(body) as { error?: { code?: string } }
  return { status, code: error?.code, retryAfter: headers['retry-after'] as string | undefined }
}

async function refusalOfUpgrade(
  server: GatewayTestServer,
  path: string,
  headers: Record<string, string>,
): Promise<Outcome> {
  const socket = new WebSocket(server.http.replace('http', 'ws') + path, { headers })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  return outcomeOf(response.statusCode, response.headers, await text(response))
}

async function refusalOfConnect(
  server: GatewayTestServer,
  path: string,
  headers: Record<string, string>,
): Promise<Outcome> {
  const session = connect(server.https, { rejectUnauthorized: false })
  session.on('error', () => {})
  await once(session, 'remoteSettings')
  const webSocketHeaders = { ':method': 'CONNECT', ':protocol': 'websocket', 'sec-websocket-version': '13' }
  const stream = session.request({ ...webSocketHeaders, ':path': path, ...headers })
  const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
  const outcome = outcomeOf(answer[':status'], answer, await text(stream))
  session.destroy()
  return outcome
}
