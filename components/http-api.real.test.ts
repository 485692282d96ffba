/** A page says in a sentence that nothing answers, or something else than the server. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { api, ApiRequestError } from './http-api.ts'
import { fetchStorage } from './storage/fetch-storage.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Lets the API of a page reach a server that answers like this. */
async function answerLike(listener: RequestListener): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const realFetch = fetch
  vi.stubGlobal('fetch', (path: string, options: RequestInit) =>
    realFetch(`http://127.0.0.1:${port}${path}`, options),
  )
}

const failureOf = (request: Promise<unknown>): Promise<Error> =>
  request.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: Error) => error,
  )

test.each([
  ['a page', 'text/html; charset=utf-8', '<html>Sign in</html>'],
  ['something that is no JSON', 'application/json', '<html>'],
])('%s in place of an answer is said in a sentence', async (_what, type, body) => {
  await answerLike((_request, response) => response.setHeader('content-type', type).end(body))
  for (const request of [api.getProfile(), api.moveToTrash('one')]) {
    const error = await failureOf(request)
    expect(error).toBeInstanceOf(ApiRequestError)
    expect(error).toMatchObject({ status: 0, message: /^Something in the network answered in place/ })
  }
})

test('what the server refuses is said without the name of its setting', async () => {
  const message = 'You create documents too fast (LIMIT_DOCUMENTS_OF_PERSON). Try again in 5 s.'
  await answerLike((_request, response) =>
    response
      .writeHead(429, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message } })),
  )
  expect((await failureOf(api.createDocument())).message).toBe(
    'You create documents too fast. Try again in 5 s.',
  )
})

test('a version is not made of a page', async () => {
  await answerLike((_request, response) => response.setHeader('content-type', 'text/html').end('<html>'))
  expect(await failureOf(api.getVersionState('one', 'two'))).toMatchObject({ status: 0 })
})

/** Time limits end when the test says so. */
function stubTimeLimits(): { readonly limits: number[]; end(): void } {
  const [limits, controllers] = [[] as number[], [] as AbortController[]]
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    const controller = new AbortController()
    controllers.push(controller)
    return controller.signal
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return { limits, end: () => controllers.forEach((one) => one.abort(new DOMException('', 'TimeoutError'))) }
}

test('a server that does not say how much space there is is given up', async () => {
  const timeLimits = stubTimeLimits()
  const arrived = Promise.withResolvers<void>()
  await answerLike(() => arrived.resolve())
  const failure = failureOf(fetchStorage())
  await arrived.promise
  timeLimits.end()
  expect(await failure).toMatchObject({ status: 0, message: expect.stringContaining('does not answer') })
  expect(timeLimits.limits).toEqual([10_000])
})

test.each([
  ['at all', () => {}],
  [
    'whole',
    (_request, response) => void response.setHeader('content-type', 'application/json').write('{"id":'),
  ],
] satisfies [string, RequestListener][])(
  'a server that does not answer %s is reported',
  async (_what, listener) => {
    const timeLimits = stubTimeLimits()
    const arrived = Promise.withResolvers<void>()
    await answerLike((request, response) => {
      listener(request, response)
      arrived.resolve()
    })
    const failure = failureOf(api.getProfile())
    await arrived.promise
    timeLimits.end()
    expect(await failure).toMatchObject({
      status: 0,
      message: 'The server does not answer. Try again in a moment.',
    })
    expect(timeLimits.limits).toEqual([10_000])
  },
)

test('a request that nobody waits for any more is aborted, and is no failure of the server', async () => {
  const aborted = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  await answerLike((request) => {
    request.once('close', () => aborted.resolve())
    arrived.resolve()
  })
  const caller = new AbortController()
  const failure = failureOf(api.listTrash(null, caller.signal))
  await arrived.promise
  caller.abort()
  expect((await failure).name).toBe('AbortError')
  await aborted.promise
})
