/** Tests the service worker when the disk or the network fails, which no browser can be told to simulate. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

interface WorkerEnvironment {
  /** Returns what the cache holds for a path. Throws when the cache is broken. */
  readonly match?: (path: string) => Response | undefined
  readonly put?: () => Promise<void>
  readonly fetch: () => Promise<Response>
}

type EventHandler = (event: object) => void

const origin = 'https://here.example'
const workerScript = await readFile(join(import.meta.dirname, '../../public/sw.js'), 'utf8')

const pathOf = (requested: string | { url: string }): string =>
  typeof requested === 'string' ? requested : new URL(requested.url).pathname

/** Starts the worker's script. Its answers are those that a page would receive; its timers fire at once. */
function startWorker({ match = () => undefined, put = async () => {}, fetch }: WorkerEnvironment) {
  const handlers = new Map<string, EventHandler>()
  const cachedRequests: Request[] = []
  const cache = {
    match: async (requested: string | { url: string }) => match(pathOf(requested)),
    put,
    addAll: async (requests: Request[]) => void cachedRequests.push(...requests),
  }
  runInNewContext(workerScript, {
    URL,
    Response,
    Request: class extends Request {
      constructor(path: string, init: RequestInit) {
        super(new URL(path, origin), init)
      }
    },
    URLPattern: class {},
    location: { origin },
    setTimeout: (run: (value: unknown) => void, _ms: number, value: unknown) => setTimeout(run, 0, value),
    caches: { open: async () => cache },
    addEventListener: (type: string, handler: EventHandler) => handlers.set(type, handler),
    fetch,
  })
  return {
    cachedRequests,
    install: () => new Promise((waitUntil) => handlers.get('install')!({ waitUntil })),
    sendRequest: (path: string, mode = 'no-cors', destination = 'script') =>
      new Promise<Response>((respondWith) => {
        handlers.get('fetch')!({
          request: { method: 'GET', url: origin + path, mode, destination },
          respondWith,
        })
      }),
  }
}

const script = '/_next/static/chunks/a1b2.js'
const rejectDiskFull = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))

test('[D6] a full disk does not keep a page from its scripts', async () => {
  const { sendRequest } = startWorker({ fetch: async () => new Response('run'), put: rejectDiskFull })
  expect(await (await sendRequest(script)).text()).toBe('run')
})

test('[D6] a cache that cannot be read does not keep a page from its scripts', async () => {
  const throwBroken = () => {
    throw new DOMException('broken', 'UnknownError')
  }
  const { sendRequest } = startWorker({ fetch: async () => new Response('run'), match: throwBroken })
  expect(await (await sendRequest(script)).text()).toBe('run')
  expect(await (await sendRequest('/', 'navigate')).text()).toBe('run')
})

test('[D6] where nothing is cached, a slow network is waited for', async () => {
  const lateResponse = new Promise<Response>((resolve) => setTimeout(resolve, 50, new Response('late')))
  const { sendRequest } = startWorker({ fetch: () => lateResponse })
  expect(await (await sendRequest('/', 'navigate')).text()).toBe('late')
})

test.each([
  ['/', '/'],
  ['/d/AbCdEfGhIjKlMnOpQrStUv', '/d/AAAAAAAAAAAAAAAAAAAAAA'],
  ['/d/AbCdEfGhIjKlMnOpQrStUv/p/preview', '/d/AAAAAAAAAAAAAAAAAAAAAA/p/outline'],
  ['/new', '/offline'],
  ['/anything', '/offline'],
])('[D6] without a network %s is answered by the cached %s', async (path, cachedShell) => {
  const { sendRequest } = startWorker({
    fetch: () => Promise.reject(new TypeError('no network')),
    match: (cachedPath) => new Response(cachedPath),
  })
  expect(await (await sendRequest(path, 'navigate')).text()).toBe(cachedShell)
})

test('[D6] a redirect to another page is never cached as a page of ours', async () => {
  const { install, cachedRequests } = startWorker({ fetch: async () => new Response('') })
  await install()
  expect(cachedRequests.length).toBeGreaterThan(2)
  expect(new Set(cachedRequests.map(({ redirect }) => redirect))).toEqual(new Set(['error']))
})

/** Creates a response as the network gives it: its address lacks the fragment. */
function networkResponse(url: string): Response {
  const response = new Response('run', { headers: { 'content-type': 'text/javascript' } })
  return Object.defineProperty(response, 'url', { value: url })
}

test.each<[string, (response: Response) => WorkerEnvironment]>([
  ['the network', (response) => ({ fetch: async () => response })],
  ['the cache', (response) => ({ fetch: rejectDiskFull, match: () => response })],
])(
  'a worker’s script from %s has no address of its own, so that the worker keeps the one that was requested',
  async (_from, environmentWith) => {
    const { sendRequest } = startWorker(environmentWith(networkResponse(origin + script)))
    const response = await sendRequest(`${script}#params=1`, 'same-origin', 'worker')
    expect(response.url).toBe('')
    expect(response.headers.get('content-type')).toBe('text/javascript')
    expect(await response.text()).toBe('run')
  },
)
